import { isLoopback, listensCollide } from "../listen.ts";
import { nodeAt } from "../walk.ts";
import { domainCovers } from "../web.ts";
import type { CheckContext } from "./context.ts";

/** Rules between options; each works even if other options are missing or invalid. */
export function checkAcross(context: CheckContext): void {
  checkHttp(context);
  checkDatabase(context);
  checkZone(context);
  checkAccess(context);
  checkStorage(context);
  checkProviders(context);
  checkChat(context);
  checkUpdates(context);
}

function checkUpdates({ draft: { updateCheck }, hint, warning, isSet }: CheckContext): void {
  if (updateCheck.enabled === true && updateCheck.feedURL === null)
    hint(
      "updateCheck.feedURL",
      "is not set, so the update check is off",
      "set it to the URL of a release feed, or follow the releases yourself",
      { code: null },
    );
  if (updateCheck.enabled === false && isSet("updateCheck.feedURL"))
    warning(
      "updateCheck.feedURL",
      "has no effect while updateCheck.enabled is false",
      "set updateCheck.enabled to true, or remove it",
      { code: "feedUnused" },
    );
}

function checkZone({ tree, hint }: CheckContext): void {
  const dsn = nodeAt(tree, "database.dsn");
  if (dsn?.kind === "scalar" && /[?&]loc=UTC(?:&|$)/.test(String(dsn.value)))
    hint(
      "database.dsn",
      "counts days in UTC (loc=UTC); is this the time zone of the community?",
      "if not, write for example loc=Europe%2FBerlin before the first start: hours of duty are counted by day, and stay on the days on which they were",
      { code: null },
    );
}

function checkHttp({ draft: { http }, problem, warning }: CheckContext): void {
  const { listen, adminListen, publicURL, origins, sessions } = http;
  if (adminListen && !isLoopback(adminListen)) {
    warning("http.adminListen", "can be reached from other machines", "write 127.0.0.1:7070, or leave it empty to turn it off", {
      code: "adminListenOpen",
    });
  }
  if (listen && adminListen && listensCollide(listen, adminListen)) {
    problem("http.adminListen", "is the address of http.listen", "write another port");
  }
  if (publicURL === undefined) return;
  if (origins && origins.length > 0 && !origins.includes(publicURL)) {
    warning("http.origins", `does not list ${publicURL} of http.publicURL, so that page is refused`, `add ${publicURL}`, {
      code: "originMissing",
      params: { url: publicURL },
    });
  }
  const host = new URL(publicURL).hostname;
  if (sessions.domain !== undefined && !domainCovers(sessions.domain, host)) {
    warning(
      "http.sessions.domain",
      `browsers drop its cookie on ${host} of http.publicURL, so signing in is impossible`,
      `write ${host}`,
      { code: "cookieDomain", params: { host } },
    );
  }
}

function checkDatabase({ draft: { database, nats }, warning, isSet }: CheckContext): void {
  const { maxOpenConns, maxIdleConns } = database;
  if (maxOpenConns !== undefined && maxIdleConns !== undefined && maxIdleConns > maxOpenConns && isSet("database.maxIdleConns")) {
    warning("database.maxIdleConns", `${maxIdleConns} is more than database.maxOpenConns`, `write at most ${maxOpenConns}`, {
      code: "idleConnections",
      params: { idle: maxIdleConns, most: maxOpenConns },
    });
  }
  if (nats.url?.kind === "embedded" && (nats.replicas ?? 1) > 1) {
    warning("nats.replicas", "has no effect with the embedded broker", "write 1, or use a cluster in nats.url", {
      code: "replicasUnused",
    });
  }
}

function checkAccess({ draft: { auth, sync }, problem, warning }: CheckContext): void {
  if (auth.configAdminGroups?.length === 0 && auth.configAdminUsers?.length === 0) {
    warning("auth.configAdminGroups", "no account is config admin", "write for example [admin], or set auth.configAdminUsers", {
      code: "noConfigAdmin",
    });
  }
  if (sync.enabled === false)
    warning("sync.enabled", "the Sync API is off, so no game data comes in", "write true and at least one sync.apiTokens", {
      code: null,
    });
  if (sync.enabled === true && sync.apiTokens?.length === 0) {
    problem(
      "sync.apiTokens",
      "is empty although sync.enabled is true",
      "write at least one random token, or set sync.enabled to false",
    );
  }
}

function checkStorage({ draft: { storage }, problem, warning }: CheckContext): void {
  const { endpoint, useSSL, accessKeyID, secretAccessKey, bucketName } = storage.objectstore;
  if (endpoint && endpoint.scheme === "http" && useSSL === true) {
    problem(
      "storage.objectstore.endpoint",
      "is http:// although storage.objectstore.useSSL is true",
      `write https://${endpoint.host}, or set useSSL to false`,
    );
  }
  if (endpoint && endpoint.scheme === "https" && useSSL === false) {
    warning(
      "storage.objectstore.useSSL",
      "is false although storage.objectstore.endpoint is https://; https is used",
      "write true",
      { code: "sslUsed" },
    );
  }
  if (storage.type !== "objectstore") return;
  for (const [name, value] of Object.entries({ endpoint, accessKeyID, secretAccessKey, bucketName })) {
    if (value === null)
      problem(
        `storage.objectstore.${name}`,
        "is missing although storage.type is objectstore",
        `write ${name}: ..., or set storage.type to filesystem`,
      );
  }
}

function checkProviders({ draft: { oauth2, http }, tree, problem, warning }: CheckContext): void {
  const first = new Map<string, number>();
  providerNames(tree).forEach((name, i) => {
    const path = `oauth2.providers[${i}].name`;
    if (name === null) return;
    if (first.has(name))
      problem(path, `"${name}" is already the name of oauth2.providers[${first.get(name)}]`, "write a unique name");
    else first.set(name, i);
  });
  const { publicURL = "https://...", sessions } = http;
  oauth2.providers?.forEach(({ name, redirectURL }, i) => {
    const path = `oauth2.providers[${i}].redirectURL`;
    const route = `/api/oauth2/callback/${name}`;
    // A provider may want a query of its own in it.
    if (!new URL(redirectURL).pathname.endsWith(route)) {
      warning(path, `does not end in ${route}, the route of this provider`, `write ${publicURL}${route}`, {
        code: "callbackRoute",
        params: { route, url: `${publicURL}${route}` },
      });
    } else if (sessions.domain !== undefined && !domainCovers(sessions.domain, new URL(redirectURL).hostname)) {
      const host = new URL(redirectURL).hostname;
      warning(path, `leads to ${host}, for which http.sessions.domain allows no cookie`, `write ${publicURL}${route}`, {
        code: "callbackHost",
        params: { host, url: `${publicURL}${route}` },
      });
    }
  });
}

/** The configured names, also of entries that are otherwise invalid. */
function providerNames(tree: CheckContext["tree"]): (string | null)[] {
  const oauth2 = tree.kind === "map" ? tree.entries.find((entry) => entry.key === "oauth2")?.value : undefined;
  const list = oauth2?.kind === "map" ? oauth2.entries.find((entry) => entry.key === "providers")?.value : undefined;
  if (list?.kind !== "list") return [];
  return list.items.map((item) => {
    const name = item.kind === "map" ? item.entries.find((entry) => entry.key === "name")?.value : undefined;
    return name?.kind === "scalar" && typeof name.value === "string" ? name.value : null;
  });
}

function checkChat({ draft: { chat }, warning }: CheckContext): void {
  if (chat.enabled === true && chat.token === null) {
    warning(
      "chat.enabled",
      "is true, but chat.token is missing, so the chat integration stays off",
      "set chat.token, or write enabled: false",
      { code: "chatTokenMissing" },
    );
  }
}
