// Ports that are free now. Another process may still take one before the server binds it, so starting is tried again.
import { connect, createServer, type NetConnectOpts } from 'node:net';

// Below the range that Linux and macOS give to outgoing connections: a server that comes back finds its port still free.
const [lowest, highest] = [20_000, 32_000];

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

export async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  for (let tries = 0; found.size < count; tries += 1) {
    if (tries > 1000) throw new Error(`no ${count} free ports between ${lowest} and ${highest} on 127.0.0.1`);
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (!found.has(port) && (await isFree(port))) found.add(port);
  }
  return [...found];
}

export const isPortTaken = (error: unknown): boolean =>
  /address already in use/i.test((error as Error).message);

/** `start` on a port that was free a moment ago; on another one when somebody took it meanwhile. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const [port = 0] = await freePorts(1);
    try {
      return await start(port);
    } catch (error) {
      if (!isPortTaken(error) || tries === 5) throw error;
    }
  }
}

/** Whether somebody listens there. */
export function accepts(where: NetConnectOpts): Promise<boolean> {
  return new Promise(resolve => {
    const connection = connect(where);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', () => resolve(false));
  });
}
