// DeleteOptions: from the body, or from the query where there is no body at all.
import { type Answer, invalid } from './answer.ts';
import { type Fields, fieldsOf } from './object.ts';

export interface DeleteOptions {
  readonly policy?: 'Background' | 'Foreground' | 'Orphan';
  readonly graceSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly isDryRun: boolean;
}

const policies = ['Foreground', 'Background', 'Orphan'];
const deleteOptions = { group: 'meta.k8s.io', kind: 'DeleteOptions' };

const unsupported = (field: string, value: string, supported: readonly string[]): Answer =>
  invalid(deleteOptions, '', [
    {
      field,
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${value}: supported values: ${supported.map(one => `"${one}"`).join(', ')}`,
    },
  ]);

/** Any body, even `{}`, means that the query is not looked at. Source: apiserver endpoints/handlers/delete.go; measured on 1.37.2. */
export function readDeleteOptions(
  body: unknown,
  query: Readonly<Record<string, string>>,
): DeleteOptions | { readonly refused: Answer } {
  const given: Fields = body === undefined ? fromQuery(query) : fieldsOf(body);
  const { propagationPolicy: policy, gracePeriodSeconds, dryRun = [] } = given;
  if (policy !== undefined && !policies.includes(String(policy))) {
    return { refused: unsupported('propagationPolicy', `"${policy}"`, [...policies, 'nil']) };
  }
  const runs = dryRun as readonly string[];
  if (runs.some(run => run !== 'All'))
    return { refused: unsupported('dryRun', JSON.stringify(runs), ['All']) };
  const { uid, resourceVersion } = fieldsOf(given['preconditions']);
  return {
    ...(policy === undefined ? {} : { policy: policy as 'Background' }),
    ...(gracePeriodSeconds === undefined ? {} : { graceSeconds: Number(gracePeriodSeconds) }),
    ...(uid === undefined ? {} : { uid: String(uid) }),
    ...(resourceVersion === undefined ? {} : { resourceVersion: String(resourceVersion) }),
    isDryRun: runs.length > 0,
  };
}

const fromQuery = ({ dryRun, ...rest }: Readonly<Record<string, string>>): Fields => ({
  ...rest,
  ...(dryRun === undefined ? {} : { dryRun: [dryRun] }),
});
