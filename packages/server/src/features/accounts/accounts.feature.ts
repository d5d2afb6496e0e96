import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
import { accessApi } from "#features/access/access.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { linksApi } from "#features/links/links.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { AdminsService } from "./accounts.admins.service.ts";
import type { AccountsApi } from "./accounts.api.ts";
import { AccountChanges } from "./accounts.changes.service.ts";
import { accountsContract } from "./accounts.contract.ts";
import { accountsEvents } from "./accounts.events.ts";
import { StaffGroupsService } from "./accounts.groups.service.ts";
import { PasswordHashing } from "./accounts.hashing.service.ts";
import { AccountsListService } from "./accounts.list.service.ts";
import { LastAdminService } from "./accounts.lastadmin.service.ts";
import { LoginsService } from "./accounts.logins.service.ts";
import { OperatorsService } from "./accounts.operators.service.ts";
import { PanelService } from "./accounts.panel.service.ts";
import { PasswordsService } from "./accounts.passwords.service.ts";
import { passwordMinimum, usernameKey } from "./accounts.policy.ts";
import { usernamesOf } from "./accounts.reads.ts";
import * as repo from "./accounts.repo.ts";
import { accountsRoutes } from "./accounts.routes.ts";
import { accountsRetention, cleanUpAccounts } from "./accounts.schedules.ts";
import { accounts, accountsList, accountsTokens } from "./accounts.schema.ts";
import { accountsSync } from "./accounts.sync.ts";
import { AccountsSyncService } from "./accounts.sync.service.ts";
import { TokenIssuingService } from "./accounts.tokens.issue.service.ts";
import { syncTokenFingerprints } from "./accounts.tokens.policy.ts";
import { TokenRedemptionService } from "./accounts.tokens.redeem.service.ts";
import { AccountTokens } from "./accounts.tokens.service.ts";

interface UseCases {
  readonly groups: StaffGroupsService;
  readonly hashing: PasswordHashing;
  readonly logins: LoginsService;
  readonly operators: OperatorsService;
  readonly passwords: PasswordsService;
  readonly redemption: TokenRedemptionService;
}

function apiOf({ groups, hashing, logins, operators, passwords, redemption }: UseCases): AccountsApi {
  return {
    passwordMinimum,
    byId: repo.findById,
    byUsername: async (tx, username) => await repo.findByUsernameKey(tx, usernameKey(username)),
    byLicence: async (tx, licence) => await repo.findByLicence(tx, bareLicence(licence)),
    list: repo.listAll,
    hasLogin: repo.hasLogin,
    admins: repo.listAdmins,
    passwordHash: repo.readPasswordHash,
    lockPasswordHash: repo.lockPasswordHash,
    passwordMatches: async (...args) => await hashing.matches(...args),
    rejectUnknownWhenFull: () => hashing.rejectUnknownWhenFull(),
    hashPassword: async (...args) => await passwords.hash(...args),
    storePassword: async (...args) => await passwords.store(...args),
    rename: async (...args) => await logins.rename(...args),
    rememberCharacter: async (...args) => await logins.rememberCharacter(...args),
    noteSeen: repo.setSeen,
    create: async (...args) => await logins.create(...args),
    resetPassword: async (...args) => await passwords.reset(...args),
    setGroups: async (...args) => await groups.set(...args),
    confirmAdmin: async (...args) => await groups.confirmAdmin(...args),
    setEnabled: async (...args) => await operators.setEnabled(...args),
    setLicence: async (...args) => await operators.setLicence(...args),
    remove: async (...args) => await operators.remove(...args),
    register: async (...args) => await redemption.register(...args),
    reset: async (...args) => await redemption.reset(...args),
  };
}

export const accountsFeature = defineFeature<Config>({
  name: "accounts",
  about:
    "Logins. An *account* belongs to one *game licence* (the identifier that the game server gives a player, without its `license:` prefix) and carries *staff groups*.",
  needs: ["access", "audit", "citizens", "links", "settings", "sync"],
  contract: { ...accountsContract, retention: [cleanUpAccounts] },
  tables: [accounts, accountsTokens],
  lists: [accountsList],
  create(context) {
    const { config } = context;
    const tokens = new AccountTokens({
      ...context,
      links: context.use(linksApi),
      syncTokenFingerprints: syncTokenFingerprints(context.signer, config.sync.apiTokens),
    });
    const base = {
      ...context,
      tokens,
      access: context.use(accessApi),
      audit: context.use(auditApi),
      settings: context.use(settingsApi),
      publicUrl: config.http.publicURL,
      changes: new AccountChanges({ ...context, tokens }),
      hashing: new PasswordHashing(context),
    };
    const shared = {
      ...base,
      admins: new AdminsService({ ...base, configured: config.auth, approvals: () => context.registry.approvals() }),
      passwords: new PasswordsService(base),
    };
    const lastAdmin = new LastAdminService({ ...base, configured: config.auth });
    base.settings.addCheck(lastAdmin.check);
    const issuing = new TokenIssuingService(shared);
    const redemption = new TokenRedemptionService(shared);
    const list = new AccountsListService({ ...base, configured: config.auth });
    const panel = new PanelService({ ...shared, list, issuing });
    const sync = accountsSync(new AccountsSyncService({ ...shared, sync: context.use(syncApi) }));
    return {
      api: apiOf({
        ...shared,
        groups: new StaffGroupsService(shared),
        logins: new LoginsService(shared),
        operators: new OperatorsService({ ...context, panel }),
        redemption,
      }),
      routes: [...sync.routes, ...accountsRoutes({ list, panel, issuing, redemption })],
      retention: [accountsRetention(panel)],
      sync: sync.kinds,
      events: accountsEvents(shared.admins),
      objectNames: [{ kind: "account", names: usernamesOf }],
      approvalHandlers: [shared.admins.approvalHandler],
      checks: [
        { id: "accounts.admins", run: async () => await shared.admins.findings() },
        { id: "accounts.lastAdmin", run: async () => await lastAdmin.findings() },
      ],
      start: async () => await shared.admins.start(),
    };
  },
});
