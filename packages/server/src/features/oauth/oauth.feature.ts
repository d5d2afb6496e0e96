import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { authApi } from "#features/auth/auth.api.ts";
import { iconsApi } from "#features/icons/icons.api.ts";
import { imageProxyApi } from "#features/imageproxy/imageproxy.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { createConnections } from "./oauth.connections.service.ts";
import { oauthContract } from "./oauth.contract.ts";
import { createExchange } from "./oauth.exchange.service.ts";
import { cleanUpAttempts, oauthRetention } from "./oauth.jobs.ts";
import { createProviders } from "./oauth.providers.service.ts";
import { oauthRoutes } from "./oauth.routes.ts";
import { oauthAttempts, oauthConnections } from "./oauth.schema.ts";
import { createOauthService } from "./oauth.service.ts";

const tokens = { table: oauthConnections.name, key: "id" } as const;

export const oauthFeature = defineFeature<Config>({
  name: "oauth",
  needs: ["accounts", "audit", "auth", "icons", "imageproxy", "notifications"],
  contract: { ...oauthContract, retention: [cleanUpAttempts] },
  tables: [oauthConnections, oauthAttempts],
  create(context) {
    const { config } = context;
    const providers = createProviders({
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
    const service = createOauthService({
      ...shared,
      log: context.logs.subsystem("oauth"),
      auth: context.use(authApi),
      notifications: context.use(notificationsApi),
      exchange: createExchange(shared),
    });
    const connections = createConnections({ ...shared, images: context.use(imageProxyApi), icons: context.use(iconsApi) });
    shared.accounts.onGone(service.forgetAccount);
    return {
      routes: oauthRoutes(service, connections),
      retention: [oauthRetention(service)],
      sealed: [
        { ...tokens, column: "access_token" },
        { ...tokens, column: "refresh_token" },
      ],
      checks: [
        { id: "oauth.tokens", run: connections.unreadableTokens },
        { id: "oauth.icons", run: async () => await connections.unknownIcons() },
      ],
    };
  },
});
