// What another process must know of a running control plane to use it: saved as JSON beside its data.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Admin, adminOf } from './admin.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { readAuthority } from './pki.ts';

export interface Description {
  /** `1.37.2` */
  readonly version: string;
  /** `https://127.0.0.1:PORT` */
  readonly server: string;
  /** Of a user in system:masters. */
  readonly adminKubeconfig: string;
  /** The kubectl that was built with it. */
  readonly kubectl: string;
  readonly auditLog: string;
  /** `http://127.0.0.1:PORT`: to store what today's API server would not. */
  readonly etcd: string;
  readonly dir: string;
}

export interface User {
  readonly user: string;
  readonly groups?: readonly string[];
  /** Of the context; `default` if not said. */
  readonly namespace?: string;
}

export const descriptionIn = (dir: string): string => join(dir, 'control-plane.json');

export interface Reach {
  readonly admin: Admin;
  kubeconfigFor(user: User): string;
}

export function reach({ dir, server, adminKubeconfig }: Description): Reach {
  const authority = readAuthority(dir);
  return {
    admin: adminOf(adminKubeconfig),
    kubeconfigFor({ user, groups = [], namespace }) {
      // Several test files may ask for the same user at once: each gets a file of its own.
      const path = join(dir, `user-${randomBytes(6).toString('hex')}.kubeconfig`);
      return writeKubeconfig(path, {
        server,
        user,
        authority: authority.certificate,
        certificate: authority.issue({ name: user, groups }),
        ...(namespace === undefined ? {} : { namespace }),
      });
    },
  };
}
