// A write that meets somebody else's: what changed in between is read and decided on again, and the version is never left out.
import type { Written } from '../cluster/contract.ts';
import type { Run } from './doors.ts';

/** A CronJob's status is written at each of its runs, and so its version. */
const mostTries = 8;
const pauseMs = 100;

/** `readAndWrite`: once, from what is read now. Answers the last try, a conflict too when it is the last. */
export async function untilAnswered(
  readAndWrite: () => Promise<Written>,
  { pause, signal }: Pick<Run, 'pause' | 'signal'>,
): Promise<Written> {
  for (let tries = 1; ; tries += 1) {
    const written = await readAndWrite();
    const isConflict = written.state === 'failed' && written.problem.code === 'changed-since-read';
    if (!isConflict || tries === mostTries || signal.aborted) return written;
    await pause(pauseMs * tries);
  }
}
