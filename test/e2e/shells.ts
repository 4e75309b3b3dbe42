// Real shells in a terminal, with kubectl's own completion and ours: started as a user's would be, with a home of their own.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { compileCache, pluginIn } from '../support/plugin.ts';
import { startInTerminal, type Term } from '../support/terminal.ts';

interface Shell {
  /** Where its settings are, below the home folder. */
  readonly file: string;
  readonly settings: string;
  readonly args: (home: string) => readonly string[];
  /** Runs what a command prints. */
  readonly sourcing: (command: string) => string;
  /** Debian's package, and a file that it brings. */
  readonly needs: readonly (readonly [name: string, file: string])[];
}

const sourced = (command: string): string => `source <(${command})`;

/** No decoration: a prompt of one dollar, no bells, no suggestions of its own, every list at once. */
export const shells = {
  bash: {
    file: '.bashrc',
    settings: `PS1='$ '
bind 'set show-all-if-ambiguous on'; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'
bind 'set page-completions off'; bind 'set completion-query-items -1'
source /usr/share/bash-completion/bash_completion`,
    args: home => ['--rcfile', join(home, '.bashrc'), '-i'],
    sourcing: sourced,
    needs: [['bash-completion', '/usr/share/bash-completion/bash_completion']],
  },
  zsh: {
    file: '.zshrc',
    settings: "PS1='$ '; unsetopt beep prompt_sp; LISTMAX=1000\nautoload -Uz compinit && compinit -u",
    args: () => ['-i'],
    sourcing: sourced,
    needs: [['zsh', '/usr/bin/zsh']],
  },
  fish: {
    file: '.config/fish/config.fish',
    settings: `set -g fish_greeting; set -g fish_autosuggestion_enabled 0
function fish_prompt; printf '$ '; end
function fish_title; end`,
    args: () => ['-i'],
    sourcing: command => `${command} | source`,
    needs: [['fish', '/usr/bin/fish']],
  },
} as const satisfies Readonly<Record<string, Shell>>;

export type ShellName = keyof typeof shells;

/** One line for who reads the skipped tests; false: the shell is here. */
export function missing(name: ShellName): string | false {
  const packages = shells[name].needs.filter(([, file]) => !existsSync(file)).map(([debian]) => debian);
  return packages.length > 0 && `${name} needs ${packages.join(', ')}: apt-get install ${packages.join(' ')}`;
}

export interface Prompt extends Term {
  readonly home: string;
  /** An empty line on an empty screen. */
  readonly clear: () => Promise<void>;
}

/** Answers when the prompt is there. `commands` are printed and sourced, one after the other. */
export async function startShell(
  t: TestContext,
  name: ShellName,
  at: {
    readonly kubectl: string;
    readonly kubeconfig: string;
    readonly commands: readonly string[];
    readonly path?: readonly string[];
  },
): Promise<Prompt> {
  const { file, settings, args, sourcing } = shells[name];
  const home = mkdtempSync(join(tmpdir(), 'jobctl-shell-'));
  mkdirSync(join(home, file, '..'), { recursive: true });
  writeFileSync(join(home, file), `${[settings, ...at.commands.map(sourcing)].join('\n')}\n`);
  const { PATH } = pluginIn(home, at.kubectl);
  const env = {
    HOME: home,
    PATH: [...(at.path ?? []), PATH].join(delimiter),
    LANG: 'C.UTF-8',
    KUBECONFIG: at.kubeconfig,
    NODE_COMPILE_CACHE: compileCache,
    // what is offered must not depend on how busy the machine is
    JOBCTL_COMPLETION_TIMEOUT: '20s',
  };
  const leave = () => rmSync(home, { recursive: true, force: true });
  const invocation = { file: `/usr/bin/${name}`, args: args(home), env, cwd: home, leave };
  const terminal = startInTerminal(invocation, { columns: 120, deadlineMs: 110_000 });
  t.after(async () => {
    terminal.type('\x15exit\r');
    await terminal.ended;
  });
  await terminal.waitFor(/^\$$/m, 60_000);
  const clear = async () => {
    // away with the line, away with the screen
    terminal.type('\x15\x0c');
    await terminal.waitFor(/^\s*\$$/);
  };
  return { ...terminal, home, clear };
}
