// Who asks to be left alone, and who else manages an object: read from labels, annotations and spec, in every dialect we know.

/** A mark that protects an object from this tool until --include-protected (keep marks) or --include-hooks (hooks). */
export type Mark =
  | 'jobctl-keep'
  /** A Job or Pod that `stop` kept. */
  | 'jobctl-stopped'
  | 'kor-used'
  | 'janitor-forever'
  | 'helm-keep'
  | 'argocd-keep'
  | 'helm-hook'
  | 'argocd-hook';

export interface Manager {
  readonly tool: 'argocd' | 'flux' | 'helm' | 'kueue' | 'managed-by';
  /** The application, release, kustomization, queue or controller that manages it. */
  readonly name: string;
}

type Texts = Readonly<Record<string, string | undefined>>;

export const isHook = (mark: Mark): boolean => mark === 'helm-hook' || mark === 'argocd-hook';

/**
 * The marks on one object.
 *
 * Sources: kor (label `kor/used=true`), kube-janitor (annotation `janitor/ttl: forever`), Helm (`helm.sh/resource-policy: keep`,
 * `helm.sh/hook`), Argo CD (`argocd.argoproj.io/sync-options` with `Prune=false` or `Delete=false`, `argocd.argoproj.io/hook`).
 * Ours, `jobctl/keep`, may be a label or an annotation; only the value "false" takes it back.
 */
export function marksOf(labels: Texts, annotations: Texts): Mark[] {
  const keep = labels['jobctl/keep'] ?? annotations['jobctl/keep'];
  const syncOptions = (annotations['argocd.argoproj.io/sync-options'] ?? '')
    .split(',')
    .map(word => word.trim());
  const found: [Mark, boolean][] = [
    ['jobctl-keep', keep !== undefined && keep !== 'false'],
    ['kor-used', labels['kor/used'] === 'true'],
    ['janitor-forever', annotations['janitor/ttl'] === 'forever'],
    ['helm-keep', annotations['helm.sh/resource-policy'] === 'keep'],
    ['argocd-keep', syncOptions.includes('Prune=false') || syncOptions.includes('Delete=false')],
    ['helm-hook', annotations['helm.sh/hook'] !== undefined],
    ['argocd-hook', annotations['argocd.argoproj.io/hook'] !== undefined],
  ];
  return found.filter(([, there]) => there).map(([mark]) => mark);
}

/** Who else manages an object. `managedBy` is spec.managedBy of a Job. */
export function managersOf(labels: Texts, annotations: Texts, managedBy?: string): Manager[] {
  const found: [Manager['tool'], string | undefined][] = [
    [
      'argocd',
      annotations['argocd.argoproj.io/tracking-id']?.split(':')[0] ?? labels['argocd.argoproj.io/instance'],
    ],
    ['flux', labels['kustomize.toolkit.fluxcd.io/name'] ?? labels['helm.toolkit.fluxcd.io/name']],
    ['helm', annotations['meta.helm.sh/release-name']],
    ['kueue', labels['kueue.x-k8s.io/queue-name']],
    ['managed-by', managedBy === 'kubernetes.io/job-controller' ? undefined : managedBy],
  ];
  return found.flatMap(([tool, name]) => (name === undefined ? [] : [{ tool, name }]));
}
