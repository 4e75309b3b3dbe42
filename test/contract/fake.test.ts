// The questions, asked of the fake.
import { adminOf } from '../cluster/admin.ts';
import { createNode } from '../cluster/state/nodes.ts';
import { warning } from '../support/fake/faults.ts';
import { aKind } from '../support/fake/kinds.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { askEverything } from './cluster.contract.ts';

askEverything(async t => {
  const api = await startFakeApi(t, { clock: 'real' });
  const admin = adminOf(api.adminKubeconfig());
  t.after(() => admin.destroy());
  const namespace = 'batch';
  return {
    namespace,
    admin,
    kubeconfig: api.kubeconfig(),
    ordinaryUser: async rules => {
      api.rights.deny('*', '*');
      for (const { verbs, resources } of rules) {
        for (const verb of verbs)
          for (const resource of resources) api.rights.allow(verb, resource, namespace);
      }
      return api.kubeconfig({ user: 'ordinary' });
    },
    node: async () => (await createNode(admin, { name: 'node-1' })).metadata.name,
    customKind: async () => {
      api.addKind(aKind('example.test/v1', 'Widget', 'widgets', { shortNames: ['wdg'] }));
      return 'example.test';
    },
    deprecatedKind: async () => {
      api.addKind(aKind('v1', 'Endpoints', 'endpoints', { shortNames: ['ep'] }));
      api.faults.on(
        { resource: 'endpoints' },
        warning('v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'),
      );
    },
  };
});
