import { bind, type Binding } from "#core/feature.ts";
import * as contract from "./auth.contract.ts";
import type { AuthService } from "./auth.service.ts";

export function authRoutes(service: AuthService): Binding[] {
  return [
    bind(contract.login, async (call, { body }) => await service.login(call, body.username, body.password)),
    bind(contract.logout, async (call) => await service.logout(call)),
    bind(contract.characters, async (call) => await service.characters(call)),
    bind(contract.token, async (call, { body }) => await service.token(call, body.characterId)),
    bind(contract.enterJobAdmin, async (call, { body }) => await service.enterJobAdmin(call, body)),
    bind(contract.leaveJobAdmin, async (call) => await service.leaveJobAdmin(call)),
    bind(contract.seeAs, async (call, { body }) => await service.seeAs.begin(call, body)),
    bind(contract.endSeeAs, async (call) => await service.seeAs.end(call)),
  ];
}
