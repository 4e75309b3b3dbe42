// Waiting for a state of the cluster: asked again and again until it is there or the time is over.
import { setTimeout as sleep } from 'node:timers/promises';

const reason = (seen: unknown): string => {
  if (seen instanceof Error) return seen.message;
  return seen === undefined || seen === false ? 'not yet' : JSON.stringify(seen);
};

/**
 * What `poll` answers, as soon as that is neither undefined nor false; a poll that throws is asked again.
 * `what` finishes the sentence "waited … for".
 */
export async function until<T>(
  what: string,
  deadlineMs: number,
  poll: () => Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  let seen: unknown;
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 500)) {
    try {
      const answer = await poll();
      if (answer !== undefined && answer !== false) return answer;
      seen = answer;
    } catch (error) {
      seen = error;
    }
    if (Date.now() > deadline)
      throw new Error(`waited ${deadlineMs / 1000} s for ${what}; last: ${reason(seen)}`);
    await sleep(pause);
  }
}
