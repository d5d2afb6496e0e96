import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { authApi } from "#features/auth/auth.api.ts";
import { iconsApi } from "#features/icons/icons.api.ts";
import { imageProxyApi } from "#features/imageproxy/imageproxy.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { ConnectionsService } from "./oauth.connections.service.ts";
import { oauthContract } from "./oauth.contract.ts";
import { oauthEvents } from "./oauth.events.ts";
import { ExchangeService } from "./oauth.exchange.service.ts";
import { cleanUpAttempts, oauthRetention } from "./oauth.schedules.ts";
import { ProvidersService } from "./oauth.providers.service.ts";
import { oauthRoutes } from "./oauth.routes.ts";
import { oauthAttempts, oauthConnections } from "./oauth.schema.ts";
import { OauthService } from "./oauth.service.ts";

const tokens = { table: oauthConnections.name, key: "id" } as const;

export const oauthFeature = defineFeature<Config>({
  name: "oauth",
  about:
    "Signing in with an external *provider*. A *connection* ties one person at the provider to one account here; an *attempt* is one redirect to the provider; the *outcome* is what came back.",
  needs: ["accounts", "audit", "auth", "icons", "imageproxy", "notifications"],
  contract: { ...oauthContract, retention: [cleanUpAttempts] },
  tables: [oauthConnections, oauthAttempts],
  create(context) {
    const { config } = context;
    const providers = new ProvidersService({
      ...context,
      providers: config.oauth2.providers,
      chatApiURL: config.chat.apiURL,
    });
    const shared = {
      ...context,
      providers,
      accounts: context.use(accountsApi),
      audit: context.use(auditApi),
    };
    const service = new OauthService({
      ...shared,
      log: context.logs.subsystem("oauth"),
      auth: context.use(authApi),
      notifications: context.use(notificationsApi),
      exchange: new ExchangeService(shared),
    });
    const connections = new ConnectionsService({ ...shared, images: context.use(imageProxyApi), icons: context.use(iconsApi) });
    return {
      routes: oauthRoutes(service, connections),
      events: oauthEvents(service),
      retention: [oauthRetention(service)],
      sealed: [
        { ...tokens, what: "access token(s) of external logins", column: "access_token" },
        { ...tokens, what: "refresh token(s) of external logins", column: "refresh_token" },
      ],
      checks: [
        { id: "oauth.tokens", run: async () => await connections.unreadableTokens() },
        { id: "oauth.icons", run: async () => await connections.unknownIcons() },
      ],
    };
  },
});
