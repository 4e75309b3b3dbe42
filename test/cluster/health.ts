// Readiness of a server over HTTPS. Anybody may ask for it, so the answer says nothing of our own access.
import { Agent, request } from 'undici';
import type { Pki } from './pki.ts';
import type { ServerProcess } from './process.ts';

/** Throws with the end of its log when it does not answer with 200 in time. */
export async function untilHealthy(
  server: ServerProcess,
  { url, pki, deadlineMs }: { readonly url: string; readonly pki: Pki; readonly deadlineMs: number },
): Promise<void> {
  const agent = new Agent({ connect: { ca: pki.clients.certificate } });
  const isHealthy = async () => {
    try {
      const answer = await request(url, { dispatcher: agent, signal: AbortSignal.timeout(2000) });
      await answer.body.dump();
      return answer.statusCode === 200;
    } catch {
      return false;
    }
  };
  await server.ready(isHealthy, deadlineMs).finally(() => agent.destroy());
}
