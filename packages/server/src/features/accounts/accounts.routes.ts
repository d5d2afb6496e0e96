import { bind, type Binding } from "#core/feature.ts";
import * as contract from "./accounts.contract.ts";
import type { AccountsListService } from "./accounts.list.service.ts";
import type { PanelService } from "./accounts.panel.service.ts";
import type { TokenIssuingService } from "./accounts.tokens.issue.service.ts";
import type { TokenRedemptionService } from "./accounts.tokens.redeem.service.ts";

export interface AccountsRoutesDeps {
  readonly list: AccountsListService;
  readonly panel: PanelService;
  readonly issuing: TokenIssuingService;
  readonly redemption: TokenRedemptionService;
}

export function accountsRoutes({ list, panel, issuing, redemption }: AccountsRoutesDeps): Binding[] {
  return [
    bind(contract.syncAccountToken, async (call, { body }) => await issuing.issueByLicence(call, body)),
    bind(contract.listAccounts, async (_call, { query }) => await list.list(query)),
    bind(contract.getAccount, async (_call, { params }) => await list.get(params.accountId)),
    bind(contract.createAccount, async (call, { body }) => await panel.create(call, body)),
    bind(contract.setAccountEnabled, async (call, { params, body }) => await panel.setEnabled(call, params.accountId, body)),
    bind(contract.issueAccountToken, async (call, { params, body }) => await panel.issueToken(call, params.accountId, body.kind)),
    bind(contract.revokeAccountToken, async (call, { params }) => await panel.revokeToken(call, params.accountId, params.kind)),
    bind(contract.openToken, async (call) => await redemption.open(call.link())),
    bind(contract.setAccountLicence, async (call, { params, body }) => await panel.setLicence(call, params.accountId, body)),
    bind(contract.deleteAccount, async (call, { params, body }) => await panel.remove(call, params.accountId, body.reason)),
    bind(contract.confirmAdmin, async (call, { params, body }) => await panel.confirmAdmin(call, params.accountId, body.power)),
    bind(contract.restoreAccount, async (call, { params }) => await panel.restore(call, params.accountId)),
  ];
}
