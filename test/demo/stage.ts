// The demo's stage: commands echoed and run through the real kubectl, and claims that are checked before they count.
import { spawn } from 'node:child_process';
import type { ControlPlane } from '../cluster/control-plane.ts';
import { pluginIn } from '../support/plugin.ts';

export interface Stage {
  /** A heading and what it is about. */
  tell(text: string): void;
  /** Echoes `$ kubectl …`, runs it, shows its output as it comes (`quiet`: not that on standard output); answers the exit code. */
  kubectl(line: string, how?: { readonly quiet: boolean }): Promise<number>;
  /** Says what was checked, and remembers a claim that did not hold. */
  check(claim: string, holds: boolean): void;
  /** Claims that did not hold. */
  readonly broken: readonly string[];
}

export function openStage(plane: ControlPlane, kubeconfig: string): Stage {
  const env = {
    ...pluginIn(plane.dir, plane.kubectl),
    KUBECONFIG: kubeconfig,
    TERM: process.env['TERM'] ?? 'dumb',
  };
  const broken: string[] = [];
  const say = (text: string) => process.stdout.write(`${text}\n`);
  return {
    broken,
    tell: text => say(`\n${text}\n`),
    kubectl: (line, how) => {
      say(`$ kubectl ${line}`);
      return new Promise((done, fail) => {
        const child = spawn(plane.kubectl, words(line), {
          env,
          stdio: ['ignore', how?.quiet === true ? 'ignore' : 'inherit', 'inherit'],
        });
        child.on('error', fail);
        child.on('close', code => {
          say('');
          done(code ?? 1);
        });
      });
    },
    check: (claim, holds) => {
      say(`${holds ? '✓' : '✗'} ${claim}`);
      if (!holds) broken.push(claim);
    },
  };
}

/** Splits at spaces; single quotes hold a word together. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
