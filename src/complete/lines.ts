// What kubectl's completion reads: a choice a line, its description behind a tab, and at last `:` with what the shell has to do.
// Source: k8s.io/kubectl/pkg/cmd/plugin_completion.go; the bits are cobra's ShellCompDirective.
import { plain } from '../model/ref.ts';
import type { Choice, Part } from './asked.ts';

const directive = { files: 0, noSpace: 2, noFiles: 4, folders: 16 } as const;

export const silence: readonly string[] = [`:${directive.noFiles}`];

/**
 * Scripts of older kubectls let the shell expand choices: `$(reboot)` is a valid name for a ClusterRole, and for a context.
 * Whatever is not plain in every shell is not offered; nor is what would be read as a flag.
 */
const isPlain = (text: string): boolean => /^\w[\w.:@/+=,-]*$/.test(text);

export function linesOf({ sought, head, typed }: Part, choices: readonly Choice[]): readonly string[] {
  if (sought.by === 'files' || sought.by === 'folders') return [`:${directive[sought.by]}`];
  const offered = choices.filter(
    ({ text }) => text.startsWith(typed) && (sought.by === 'list' || isPlain(text)),
  );
  // the name has to follow at once
  const goesOn = offered.length > 0 && offered.every(({ text }) => text.endsWith('/'));
  return [
    ...offered.map(({ text, about }) => head + text + (about === undefined ? '' : `\t${plain(about)}`)),
    `:${directive.noFiles + (goesOn ? directive.noSpace : 0)}`,
  ];
}
