import type { Config } from "#config/index.ts";
import type { Viewer } from "#core/actor.ts";
import { defineFeature, type EventListener } from "#core/feature.ts";
import { accessApi } from "#features/access/access.api.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { accountsChanged } from "#features/accounts/accounts.contract.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { citizensApi } from "#features/citizens/citizens.api.ts";
import { citizensChanged } from "#features/citizens/citizens.contract.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import type { AuthApi } from "./auth.api.ts";
import { authContract, sessionsChanged } from "./auth.contract.ts";
import { authEvents } from "./auth.events.ts";
import { authRetention, cleanUpSessions } from "./auth.jobs.ts";
import { authRoutes } from "./auth.routes.ts";
import { authAddresses, authAgents, authFactors, authFailures, authRecoveryCodes, authSessions } from "./auth.schema.ts";
import { createAuthService } from "./auth.service.ts";
import { createSessions, type Sessions } from "./auth.sessions.service.ts";
import { createThrottle } from "./auth.throttle.service.ts";
import { createUserTokens } from "./auth.token.service.ts";

type Concerned = (viewer: Viewer) => boolean;

/** Forgets what this process knew, then has everything that is open asked anew. */
function listeners(sessions: Sessions, changed: (concerned: Concerned) => void): EventListener[] {
  return [
    {
      event: sessionsChanged,
      heard({ payload }) {
        const { sessionIds } = payload as { sessionIds: string[] };
        sessions.forgetSessions(sessionIds);
        changed((viewer) => sessionIds.includes(viewer.sessionId));
      },
    },
    {
      event: accountsChanged,
      heard({ payload }) {
        const { accountIds } = payload as { accountIds: number[] };
        accountIds.forEach((id) => sessions.forgetAccount(id));
        changed((viewer) => accountIds.includes(viewer.accountId));
      },
    },
    {
      event: citizensChanged,
      heard({ payload }) {
        const ids = new Set((payload as { items: { id: number }[] }).items.map(({ id }) => id));
        sessions.forgetCharacters([...ids]);
        changed((viewer) => ids.has(viewer.characterId));
      },
    },
  ];
}

export const authFeature = defineFeature<Config>({
  name: "auth",
  needs: ["access", "accounts", "audit", "citizens", "jobs", "notifications", "settings"],
  contract: { ...authContract, retention: [cleanUpSessions] },
  tables: [authSessions, authFailures, authAddresses, authAgents, authFactors, authRecoveryCodes],
  create(context) {
    const { config } = context;
    const shared = {
      ...context,
      accounts: context.use(accountsApi),
      access: context.use(accessApi),
      audit: context.use(auditApi),
      citizens: context.use(citizensApi),
      jobs: context.use(jobsApi),
      notifications: context.use(notificationsApi),
      settings: context.use(settingsApi),
      throttle: createThrottle(context.clock),
      tokens: createUserTokens(config.jwt.secret, context.clock),
    };
    const sessions = createSessions(shared);
    const cookie = { domain: config.http.sessions.domain, publicUrl: config.http.publicURL };
    const service = createAuthService({ ...shared, sessions, cookie });
    const heard: ((concerned: Concerned) => void)[] = [];
    const changed = (concerned: Concerned) => heard.forEach((listener) => listener(concerned));
    shared.accounts.onChange((accountId) => sessions.forgetAccount(accountId));
    shared.accounts.attach({
      endSessions: service.endSessionsOf,
      powersOf: shared.access.powersOf,
    });
    shared.accounts.onGone(service.forgetAccount);
    shared.access.onChange(() => changed(() => true));
    shared.settings.onChange(() => {
      sessions.forgetAll();
      changed(() => true);
    });
    const api: AuthApi = {
      signIn: service.signIn,
      authenticator: sessions.authenticator,
      byToken: sessions.byToken,
      refresh: async (viewer) => await sessions.viewer(viewer.sessionId, viewer.characterId, { ...viewer, userAgent: "" }),
      onRightsChange: (listener) => void heard.push(listener),
    };
    return {
      api,
      routes: authRoutes(service),
      events: authEvents(service),
      retention: [authRetention(service)],
      listeners: listeners(sessions, changed),
      sealed: [{ table: "auth_factors", key: "account_id", column: "secret" }],
      checks: [service.factor.check],
      restored: service.restored,
      stop: async () => await sessions.flush(),
    };
  },
});
