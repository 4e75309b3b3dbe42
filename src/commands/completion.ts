// `completion`, the words: for which shell. What is printed is in report/completion-script.ts, what completes is complete.ts.
import { usageError } from '../errors.ts';
import type { Page } from './command.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof shells)[number];

export const completionPage: Page = {
  name: 'completion',
  words: 'SHELL',
  about: 'print the script that completes verbs, flags and live names in bash, zsh, fish or powershell',
  flags: {},
  offers: shells,
  examples: [
    ['completion bash', 'in ~/.bashrc: source <(kubectl jobctl completion bash)'],
    ['completion zsh', 'in ~/.zshrc: source <(kubectl jobctl completion zsh)'],
    ['completion fish', 'in ~/.config/fish/config.fish: kubectl jobctl completion fish | source'],
    [
      'completion powershell',
      'in $PROFILE: kubectl jobctl completion powershell | Out-String | Invoke-Expression',
    ],
  ],
};

/** Throws in kubectl's words. Source: k8s.io/kubectl/pkg/cmd/completion. */
export function readShell(words: readonly string[]): Shell {
  const [word, more] = words;
  const flag = words.find(one => one.startsWith('-'));
  if (flag !== undefined)
    throw usageError(`unknown flag: ${flag}`, "See 'kubectl jobctl completion --help' for usage.");
  if (word === undefined) throw complaint('Shell not specified.');
  if (more !== undefined) throw complaint('Too many arguments. Expected only the shell type.');
  const shell = shells.find(one => one === word);
  if (shell === undefined) throw complaint(`Unsupported shell type "${word}".`);
  return shell;
}

const complaint = (text: string) =>
  usageError(text, "See 'kubectl jobctl completion -h' for help and examples");
