// `status -o json` and `-o yaml`: one document with a schema version. A change of its meaning is a new version.
import { stringify } from 'yaml';
import { apiVersion } from '../model/api-version.ts';
import { given } from '../model/given.ts';
import { resourceName } from '../model/kind.ts';
import {
  needsSomebody,
  type Place,
  type SourceLine,
  type Status,
  type StatusFinding,
} from '../model/status.ts';
import { toRef } from './document-ref.ts';
import { commandLine } from './next-command.ts';
import { sentenceOf } from './status-findings.ts';

export function statusDocument(status: Status, form: 'json' | 'yaml'): string {
  const document = toDocument(status);
  return form === 'json' ? JSON.stringify(document, undefined, 2) : stringify(document).trimEnd();
}

function toDocument({ context, server, namespaces, allNamespaces, takenAt, unreadable, places }: Status) {
  return {
    apiVersion,
    kind: 'Status',
    verb: 'status',
    ...given({ context }),
    server,
    namespaces,
    allNamespaces,
    takenAt: takenAt.toISOString(),
    unreadable: unreadable.map(({ kind, namespace, problem }) => ({
      resource: resourceName(kind),
      ...given({ namespace }),
      problem,
    })),
    byNamespace: places.map(toPlace),
    summary: { namespaces: places.length, needSomething: places.filter(needsSomebody).length },
  };
}

const toPlace = (place: Place): object => ({
  namespace: place.namespace,
  needsSomething: needsSomebody(place),
  sources: place.sources.map(toSource),
  // absent where they could not be read
  ...given({ jobs: place.jobs, leakedPods: place.leaked }),
  findings: place.findings.map(toFinding),
  next: place.next.map(commandLine),
});

function toSource({ target, next, is, ...line }: SourceLine): object {
  return {
    ...toRef(target),
    state: is,
    ...line,
    ...given({ nextRun: next }),
  };
}

function toFinding(finding: StatusFinding): object {
  const { code, needs, targets, facts, hold, next } = finding;
  return {
    code,
    needsSomething: needs,
    text: sentenceOf(finding),
    facts,
    ...given({ hold }),
    targets: targets.map(toRef),
    next: next.map(commandLine),
  };
}
