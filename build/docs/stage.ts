// Where the stories of the documents play: a control plane of their own, namespaces with the names that people read, and users who may do
// what docs/roles/ says and no more.
import { join } from 'node:path';
import type { Admin } from '../../test/cluster/admin.ts';
import { collection } from '../../test/cluster/admin.ts';
import type { ControlPlane } from '../../test/cluster/control-plane.ts';
import { allowEverywhere, type Rule } from '../../test/cluster/state/roles.ts';
import { until } from '../../test/cluster/until.ts';
import { documentedRules } from '../../test/support/documented-role.ts';
import { openSession, type Session } from './session.ts';

export interface Stage {
  readonly plane: ControlPlane;
  readonly admin: Admin;
  /** Made, with the service account that Pods need. */
  namespace(name: string): Promise<void>;
  /** A user with this role, in this namespace. `also`: rights that the story needs for what it shows beside it. */
  session(wanted: Wanted): Promise<Session>;
}

interface Wanted {
  readonly role: string;
  readonly namespace: string;
  readonly also?: readonly Rule[];
  /** Resources of the role that this user may not delete. */
  readonly mayNotDelete?: string;
  readonly generated?: readonly string[];
}

/** A role is bound to a user of its own. */
const users = Array.from({ length: 40 }, (_, at) => (at === 0 ? 'ada' : `ada-${at + 1}`));

export function openStage(plane: ControlPlane): Stage {
  const { admin } = plane;
  let sessions = 0;
  return {
    plane,
    admin,
    async namespace(name) {
      await admin.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      await until(`the service account of ${name}`, 60_000, () =>
        admin.find(`${collection('v1', 'serviceaccounts', name)}/default`),
      );
    },
    async session({ role, namespace, also = [], mayNotDelete, generated = [] }) {
      const user = users[sessions++];
      if (user === undefined) throw new Error('more sessions than users');
      const rules = documentedRules(role).map(rule => withoutDelete(rule, mayNotDelete));
      await allowEverywhere(admin, { user, rules: [...rules, ...also] });
      return openSession({
        kubectl: plane.kubectl,
        kubeconfig: plane.kubeconfigFor({ user, namespace }),
        home: join(plane.dir, `session-${user}`),
        run: { server: plane.server, generated },
      });
    },
  };
}

const withoutDelete = (rule: Rule, resource: string | undefined): Rule =>
  resource !== undefined && rule.resources.includes(resource)
    ? { ...rule, verbs: rule.verbs.filter(verb => verb !== 'delete') }
    : rule;
