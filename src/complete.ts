// The corridor of completion, for `kubectl_complete-jobctl`: words so far → what is asked → choices → lines. It only reads.
// It never fails, never asks and never waits for long: somebody has pressed the Tab key.
import { setTimeout } from 'node:timers/promises';
import type { Texts } from './commands/command.ts';
import { readConnection } from './commands/connection.ts';
import { parseDuration } from './commands/parse.ts';
import type { Asked, Choice } from './complete/asked.ts';
import { linesOf, silence } from './complete/lines.ts';
import { type Live, readLive } from './complete/live.ts';
import { askedBy } from './complete/words.ts';
import { contents } from './program.ts';

export interface Completing {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** How long whoever pressed the key has waited already. */
  readonly elapsedMs: number;
}

export interface Completed {
  readonly lines: readonly string[];
  /** The time was over: something may still hang. */
  readonly late: boolean;
}

export async function complete(typed: readonly string[], at: Completing): Promise<Completed> {
  try {
    const asked = askedBy(typed, contents);
    const limitMs = Math.max(0, Math.round(withinMs(at.env) - at.elapsedMs));
    const limit = AbortSignal.timeout(limitMs);
    // reads end at the limit by themselves; a login may hang, or a name server
    const choices = await Promise.race([choicesOf(asked, { ...at, limit }), setTimeout(limitMs + 100)]);
    return { lines: linesOf(asked, choices ?? []), late: limit.aborted };
  } catch {
    // what went wrong would be written into the line that is being typed
    return { lines: silence, late: false };
  }
}

/** Longer than two seconds nobody waits for a key, unless a slow login or a far cluster is worth it to them. */
const withinMs = (env: Completing['env']): number =>
  parseDuration(env['JOBCTL_COMPLETION_TIMEOUT'] || '2s', 'JOBCTL_COMPLETION_TIMEOUT');

interface Limited extends Completing {
  readonly limit: AbortSignal;
}

/** Nothing but the library's part that this needs is loaded: most words are completed without a cluster, or a kubeconfig. */
async function choicesOf({ sought, texts }: Asked, at: Limited): Promise<readonly Choice[]> {
  switch (sought.by) {
    case 'list':
      return sought.choices;
    case 'files':
    case 'folders':
      return [];
    case 'kubeconfig': {
      const { entriesOf } = await import('./cluster/kubeconfig.ts');
      return entriesOf(readConnection(texts), at.env)[sought.entries].map(asChoice);
    }
    default:
      return (await lookUp(sought, texts, at)).map(asChoice);
  }
}

const asChoice = (text: string): Choice => ({ text });

async function lookUp(sought: Live, texts: Texts, { env, version, limit }: Limited): Promise<string[]> {
  const { connect } = await import('./cluster/connect.ts');
  const { reader } = connect(readConnection(texts), {
    env,
    version,
    unattended: true,
    signal: limit,
    onWarning: () => undefined,
    onRequest: () => undefined,
  });
  return await readLive(sought, reader);
}
