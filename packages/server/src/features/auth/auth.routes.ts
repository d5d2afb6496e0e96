import { bind, type Binding } from "#core/feature.ts";
import * as contract from "./auth.contract.ts";
import type { AuthService } from "./auth.service.ts";

export function authRoutes(service: AuthService): Binding[] {
  const { characters, own, factor, jobAdmin, refusals, seeAs } = service;
  return [
    bind(contract.login, async (call, { body }) => await service.signIn(call, body.username, body.password)),
    bind(contract.loginFactor, async (call, { body }) => await service.signInFactor(call, body.code)),
    bind(contract.logout, async (call) => await service.logout(call)),
    bind(contract.characters, async (call) => await characters.list(call)),
    bind(contract.token, async (call, { body }) => await characters.choose(call, body.characterId)),
    bind(contract.enterJobAdmin, async (call, { body }) => await jobAdmin.enter(call, body)),
    bind(contract.leaveJobAdmin, async (call) => await jobAdmin.leave(call)),
    bind(contract.seeAs, async (call, { body }) => await seeAs.begin(call, body)),
    bind(contract.endSeeAs, async (call) => await seeAs.end(call)),
    bind(contract.authOptions, async () => await own.options()),
    bind(contract.register, async (call, { body }) => await own.register(call, body)),
    bind(contract.reset, async (call, { body }) => await own.reset(call, body)),
    bind(contract.ownAccount, async (call) => await own.account(call)),
    bind(contract.changeUsername, async (call, { body }) => await own.changeUsername(call, body)),
    bind(contract.changePassword, async (call, { body }) => await own.changePassword(call, body)),
    bind(contract.ownSessions, async (call) => await own.sessions(call)),
    bind(contract.revokeSession, async (call, { params }) => await own.revoke(call, params.sessionId)),
    bind(contract.revokeOtherSessions, async (call) => await own.revokeOthers(call)),
    bind(contract.signInOf, async (_call, { params }) => await own.ofAccount(params.accountId)),
    bind(contract.revokeSessionOf, async (call, { params }) => await own.revokeOf(call, params.accountId, params.sessionId)),
    bind(contract.revokeSessionsOf, async (call, { params }) => await own.revokeAllOf(call, params.accountId)),
    bind(contract.ownFactor, async (call) => await factor.state(call)),
    bind(contract.enrolFactor, async (call, { body }) => await factor.enrol(call, body.password)),
    bind(contract.confirmFactor, async (call, { body }) => await factor.confirm(call, body.code)),
    bind(contract.renewRecoveryCodes, async (call, { body }) => await factor.renewCodes(call, body)),
    bind(contract.disableFactor, async (call, { body }) => await factor.disable(call, body)),
    bind(contract.signInRefusals, async (_call, { query }) => await refusals.figures(query)),
    bind(contract.adminsWithoutFactor, async () => await factor.adminsWithout()),
    bind(contract.resetFactorOf, async (call, { params }) => await factor.resetOf(call, params.accountId)),
  ];
}
