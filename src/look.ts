// The corridor of a verb that only looks: select → plan → report. It is given no writer, so that it cannot change anything.
import { EarlyEnd, exitCodes, usageError } from './errors.ts';
import { given } from './model/given.ts';
import type { StatusOptions } from './model/options.ts';
import type { Status } from './model/status.ts';
import { planStatus } from './plan/status.ts';
import type { Reading } from './planners.ts';
import { statusLines, watchLines } from './report/status-lines.ts';
import { selectStatus } from './select/status.ts';

export interface Looking extends Pick<Reading, 'read' | 'signal' | 'pause' | 'show'> {
  /** The height of the terminal that standard error is: updating lines are drawn there. Absent: it is none. */
  readonly rows?: () => number;
}

/** From the end of one look to the next: a cluster with many Jobs is not asked faster than it answers. */
const everyMs = 2000;

/** The exit code: what was found is no failure. Throws an EarlyEnd when nothing at all could be read. */
export async function look(options: StatusOptions, at: Looking): Promise<number> {
  const { rows } = at;
  if (options.watch && rows === undefined)
    throw usageError(
      '--watch redraws a terminal, and standard error is none; leave it out, or repeat the command',
    );
  const status = planStatus(await selectStatus(options, at.read), options);
  if (at.signal.aborted) return exitCodes.interrupted;
  const last = options.watch && rows !== undefined ? await watch(status, options, { ...at, rows }) : status;
  await at.show({ out: statusLines(last, options.output) });
  return exitCodes.done;
}

/** Until Ctrl-C; answers the last picture. A look that fails leaves the one before it standing, with what went wrong. */
async function watch(first: Status, options: StatusOptions, at: Required<Looking>): Promise<Status> {
  let status = first;
  let trouble: string | undefined;
  while (!at.signal.aborted) {
    const lines = watchLines(status, options.output, { rows: at.rows(), ...given({ trouble }) });
    await at.show({ status: lines.join('\n') });
    await at.pause(everyMs);
    const newer = at.signal.aborted ? undefined : await again(options, at);
    if (newer === undefined || at.signal.aborted) break;
    if (typeof newer === 'string') trouble = newer;
    else [status, trouble] = [newer, undefined];
  }
  return status;
}

async function again(options: StatusOptions, at: Looking): Promise<Status | string> {
  try {
    return planStatus(await selectStatus(options, at.read), options);
  } catch (problem) {
    if (problem instanceof EarlyEnd && problem.kind === 'cluster') return problem.message;
    throw problem;
  }
}
