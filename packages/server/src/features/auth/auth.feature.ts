import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { accessApi } from "#features/access/access.api.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { citizensApi } from "#features/citizens/citizens.api.ts";
import { jobgroupsApi } from "#features/jobgroups/jobgroups.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import type { AuthApi } from "./auth.api.ts";
import { authContract } from "./auth.contract.ts";
import { authEvents, authListeners } from "./auth.events.ts";
import { LoginGuard } from "./auth.guard.service.ts";
import { rightsEvents } from "./auth.inputs.policy.ts";
import { authRetention, cleanUpSessions } from "./auth.schedules.ts";
import { authRoutes } from "./auth.routes.ts";
import { authAddresses, authAgents, authFactors, authFailures, authRecoveryCodes, authSessions } from "./auth.schema.ts";
import { lazyFingerprintOfSecrets } from "./auth.secrets.policy.ts";
import { AuthService } from "./auth.service.ts";
import { SessionsService } from "./auth.sessions.service.ts";
import { Throttle } from "./auth.throttle.service.ts";
import { UserTokens } from "./auth.token.service.ts";
import { ViewersService } from "./auth.viewers.service.ts";

export const authFeature = defineFeature<Config>({
  name: "auth",
  about:
    "Signing in. A *session* is a signed-in browser; a *user token* acts for one *character* for ten minutes; a *job admin* may enter *admin mode*, with a reason and for a limited time. The *login guard* protects the sign-in against floods of guesses.",
  needs: ["access", "accounts", "audit", "citizens", "jobgroups", "jobs", "notifications", "settings"],
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
      jobgroups: context.use(jobgroupsApi),
      jobs: context.use(jobsApi),
      notifications: context.use(notificationsApi),
      settings: context.use(settingsApi),
      throttle: new Throttle(context.clock),
      log: context.logs.subsystem("auth"),
      secretsFingerprint: lazyFingerprintOfSecrets({
        secret: config.secret,
        jwtSecret: config.jwt.secret,
        cookieSecret: config.http.sessions.cookieSecret,
      }),
      tokens: new UserTokens(config.jwt.secret, context.clock),
    };
    const sessions = new SessionsService(shared);
    const viewers = new ViewersService({ ...shared, sessions });
    const guard = new LoginGuard(shared);
    const cookie = { domain: config.http.sessions.domain, publicUrl: config.http.publicURL };
    const service = new AuthService({ ...shared, sessions, viewers, guard, cookie });
    const api: AuthApi = {
      signIn: async (call, accountId, method) => await service.login.signIn(call, accountId, method),
      confirmOwner: async (call, proof) => await service.owner.confirm(call, proof),
      authenticator: viewers.authenticator,
      byToken: async (token, from) => await viewers.byToken(token, from),
      refresh: async (viewer) => await viewers.viewer(viewer.sessionId, viewer.characterId, { ...viewer, userAgent: "" }),
      present: async (sessionId, characterId, from) => await viewers.present(sessionId, characterId, from),
      rightsEvents,
    };
    return {
      api,
      routes: authRoutes(service),
      events: authEvents(service),
      retention: [authRetention(service)],
      listeners: authListeners(sessions, viewers),
      sealed: [{ table: "auth_factors", what: "second factor(s)", key: "account_id", column: "secret" }],
      checks: [service.factor.check],
      restored: async (tx) => await service.restored(tx),
      start: async () => await service.start(),
      stop: async () => await sessions.flush(),
    };
  },
});
