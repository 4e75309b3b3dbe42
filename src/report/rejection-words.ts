// Who refused a change, and what to look at. The tool never switches a webhook or a policy off.
import type { Blamed } from '../model/event.ts';
import type { Rejection } from '../model/problem.ts';
import { plain } from '../model/ref.ts';

/** Lines below the server's own message. `isCollectors`: the finalizer is the garbage collector's, which meets the same wall. */
export function rejectionLines(
  rejection: Rejection,
  blame: readonly Blamed[],
  isCollectors: boolean,
): string[] {
  const lines = [...linesOf(rejection, blame)];
  if (isCollectors && rejection.by !== 'no-dry-run')
    lines.push(
      'the garbage collector has to make the same change, so it is refused too: this is why the object is stuck',
    );
  return lines.map(line => plain(`  ${line}`));
}

function linesOf(rejection: Rejection, blame: readonly Blamed[]): string[] {
  const where = blame.map(({ configuration }) => configuration).join(', ');
  const installed = where === '' ? '' : ` (${where})`;
  switch (rejection.by) {
    case 'webhook':
      return [
        `webhook ${rejection.name}${installed} denies the change: look at its rules or ask who runs it`,
      ];
    case 'silent-webhook':
      return [
        `webhook ${rejection.name}${installed} cannot be reached${reachedAt(rejection.address, blame)}: every change that it should see is refused`,
        `bring ${blame.some(({ service }) => service !== '') ? 'its service' : 'it'} back; if its operator is gone for good, its configuration is a left-over${where === '' ? '' : `: kubectl get ${where.split('/').join(' ')} -o yaml`}`,
      ];
    case 'policy':
      return [
        `ValidatingAdmissionPolicy ${rejection.name}${rejection.binding === '' ? '' : `, bound by ${rejection.binding},`} denies the change`,
        `look: kubectl get validatingadmissionpolicy ${rejection.name} -o yaml`,
      ];
    case 'conversion':
      return [
        `its objects cannot be converted (${rejection.kind}): the conversion webhook${rejection.address === '' ? '' : ` ${rejection.address}`} does not answer`,
      ];
    case 'mutation':
      return [
        `something changes the object on its way in, which the server does not allow; our change names finalizers and nothing else${where === '' ? '' : `. Mutating webhooks that see it: ${where}`}`,
        'the controllers meet the same refusal, so this is likely why the object is stuck',
      ];
    case 'put-back':
      return [
        `something puts it back on the way in${where === '' ? '' : `. Mutating webhooks that see it: ${where}`}`,
      ];
    case 'finalizer-name':
      return [
        `"${rejection.name}", which would stay on the list, is not allowed there: remove both, --finalizer ${rejection.name} too`,
      ];
    case 'no-dry-run':
      return [
        `webhook ${rejection.name}${installed} does not support dry runs; --dry-run=client shows the plan without it`,
      ];
  }
}

function reachedAt(address: string, blame: readonly Blamed[]): string {
  const service = blame.find(({ service: name }) => name !== '')?.service;
  if (service !== undefined) return ` at service ${service}`;
  return address === '' ? '' : ` at ${address}`;
}
