// What --include-protected overrides, in words: "2 marked jobctl/keep, 1 Helm hook".
import type { Facts } from '../model/facts.ts';
import type { Mark } from '../model/protection.ts';

type Counted = (count: number) => string;

const marked =
  (by: string): Counted =>
  count =>
    `${count} marked ${by}`;
const hooks =
  (of: string): Counted =>
  count =>
    `${count} ${of} ${count === 1 ? 'hook' : 'hooks'}`;

/** In the order in which they are said. */
const overridden: Readonly<Record<Mark | 'kube-namespace' | 'contents', Counted>> = {
  'kube-namespace': count => `${count} in kube-* namespaces`,
  'jobctl-keep': marked('jobctl/keep'),
  'jobctl-stopped': count => `${count} kept by a stop`,
  'kor-used': marked('kor/used=true'),
  'janitor-forever': marked('janitor/ttl: forever'),
  'helm-keep': marked('helm.sh/resource-policy: keep'),
  'argocd-keep': count => `${count} that Argo CD is told not to prune or delete`,
  'helm-hook': hooks('Helm'),
  'argocd-hook': hooks('Argo CD'),
  contents: count => `${count} protected inside what is deleted`,
};

export const overrideWords = (facts: Facts): string => `--include-protected overrides: ${keptWords(facts)}.`;

/** `2 marked jobctl/keep, 1 Helm hook` */
export function keptWords(facts: Facts): string {
  const said = Object.entries(overridden).flatMap(([what, say]) => {
    const count = Number(facts[what] ?? 0);
    return count === 0 ? [] : [say(count)];
  });
  return said.join(', ');
}
