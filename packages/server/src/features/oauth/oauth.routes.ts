import { bind, type Binding } from "#core/feature.ts";
import type { ConnectionsService } from "./oauth.connections.service.ts";
import * as contract from "./oauth.contract.ts";
import type { OauthService } from "./oauth.service.ts";

export function oauthRoutes(service: OauthService, connections: ConnectionsService): Binding[] {
  return [
    bind(contract.listProviders, async () => await connections.providers()),
    bind(contract.providerIcon, async (call, { params }) => await connections.icon(params.name, call.address)),
    bind(contract.beginLogin, async (call, { params, query }) => await service.begin(call, params.name, query)),
    bind(contract.finishLogin, async (call, { params, query }) => await service.finish(call, params.name, query)),
    bind(contract.listConnections, async (call) => await connections.list(call.account().accountId)),
    bind(contract.connect, async (call, { params, body }) => await service.beginConnecting(call, params.name, body)),
    bind(
      contract.disconnect,
      async (call, { params }) => await connections.disconnect(call.actor, call.account().accountId, params.name),
    ),
    bind(contract.connectionAvatar, async (call, { params }) => {
      const { accountId } = call.account();
      return await connections.avatar(accountId, params.name, accountId);
    }),
    bind(contract.listConnectionsOf, async (_call, { params }) => await connections.listOf(params.accountId)),
    bind(
      contract.disconnectOf,
      async (call, { params }) => await connections.disconnect(call.actor, params.accountId, params.name),
    ),
    bind(
      contract.connectionAvatarOf,
      async (call, { params }) => await connections.avatar(params.accountId, params.name, call.account().accountId),
    ),
  ];
}
