// By which words the controller of a finalizer can be recognised: from the table of known ones, else from the domain in its name.
import type { Kind } from './kind.ts';
import { knownFinalizer } from './known-finalizers.ts';

export interface ControllerWords {
  readonly words: readonly string[];
  /** Lease names, exactly. */
  readonly leases: readonly string[];
}

/** Finalizers that Kubernetes' own controllers and API server work on; each has a cause of its own in plan/causes. */
export const ofKubernetes: ReadonlySet<string> = new Set([
  'foregroundDeletion',
  'orphan',
  'kubernetes',
  'batch.kubernetes.io/job-tracking',
  'kubernetes.io/pvc-protection',
  'kubernetes.io/pv-protection',
  'customresourcecleanup.apiextensions.k8s.io',
]);

/** Labels of a domain that say nothing about who works on a finalizer. */
const sayNothing = new Set(
  'com org io net dev sh co eu cloud app apps k8s x-k8s kubernetes svc cluster local api www operator operators controller manager core'.split(
    ' ',
  ),
);

export function controllerWords(finalizer: string, kind: Pick<Kind, 'group' | 'kind'>): ControllerWords {
  const known = knownFinalizer(finalizer);
  if (known !== undefined) return { words: known.controllers, leases: known.leases };
  const ofName = wordsOf(finalizer.split('/')[0] ?? '');
  // a kind of Kubernetes itself says nothing about who put a finalizer on it
  const isForeign = kind.group.includes('.') && !/(^|\.)k8s\.io$/.test(kind.group);
  const ofKind = isForeign ? [...wordsOf(kind.group), kind.kind.toLowerCase()] : [];
  return { words: [...new Set([...ofName, ...ofKind])], leases: [] };
}

function wordsOf(domain: string): string[] {
  const labels = domain.toLowerCase().split('.');
  const telling = labels.length > 1 ? labels.slice(0, -1) : labels;
  return telling.filter(
    label => label.length > 1 && !sayNothing.has(label) && !/finali[sz]er?s?|cleanup|protection/.test(label),
  );
}
