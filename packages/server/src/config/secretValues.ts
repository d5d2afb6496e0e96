import type { Config } from "./load.ts";

/** Every secret text of the configuration, to mask them in logs. */
export function secretValues(config: Config): readonly string[] {
  const { jwt, secret, http, database, nats, storage, oauth2, chat, sync } = config;
  const broker = nats.url.kind === "nats" ? [nats.url.password, nats.url.token] : [];
  const found = [
    jwt.secret,
    secret,
    http.sessions.cookieSecret,
    database.dsn.kind === "mariadb" ? database.dsn.password : null,
    ...broker,
    storage.objectstore.secretAccessKey,
    ...oauth2.providers.map((provider) => provider.clientSecret),
    chat.token,
    ...sync.apiTokens,
    ...Object.values(config.otlp.headers),
  ];
  return [...new Set(found.filter((value): value is string => value !== null && value !== ""))];
}
