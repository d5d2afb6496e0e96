import type { ListenAddress } from "#core/dsn.ts";
import { parseListen } from "../listen.ts";
import { accept, refuse, type Parsed } from "../parsed.ts";
import { parseCookieDomain, parseOrigin, parseProxyRange, parsePublicUrl } from "../web.ts";
import { textList } from "./collections.ts";
import { longEnough } from "./core.ts";
import { text, textual } from "./kinds.ts";

const inEffect = true;
const noAdmin = (value: string): Parsed<ListenAddress | null> => (value.trim() === "" ? accept(null) : parseListen(value));

/** It becomes a host name of the game's browser. */
function parseResource(value: string): Parsed<string> {
  const name = value.trim().toLowerCase();
  if (/^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(name)) return accept(name);
  return refuse(`"${value}" is not the name of a game resource`, "write the name of its folder, for example rollcall");
}

export const http = {
  listen: textual(
    {
      default: ":8080",
      inEffect,
      meaning: "Address of the web application and its API, as HOST:PORT or :PORT.",
    },
    { parse: parseListen },
  ),
  adminListen: textual(
    {
      default: ":7070",
      inEffect,
      meaning: "Address of health, metrics and debug pages. Bind it to 127.0.0.1; an empty value disables it.",
    },
    { parse: noAdmin, allowEmpty: true },
  ),
  publicURL: textual(
    {
      required: true,
      inEffect,
      example: "https://rollcall.example.org",
      meaning: "The URL at which people open the application; every link is built from it.",
    },
    { parse: parsePublicUrl },
  ),
  origins: textList(
    {
      required: true,
      inEffect,
      example: "[https://rollcall.example.org]",
      meaning: "Browser origins that may use the API. A request from any other page is refused.",
    },
    {
      parse: parseOrigin,
      atLeastOne: refuse("lists no origin", "write at least the origin of http.publicURL"),
    },
  ),
  gameResource: textual(
    {
      inEffect,
      own: true,
      example: "rollcall",
      meaning:
        "Name of the game resource whose tablet may show the application in a frame, `rollcall` when it is left out. No other resource may.",
    },
    { parse: parseResource },
  ),
  trustedProxies: textList(
    {
      required: true,
      inEffect,
      example: "[127.0.0.1, 10.0.0.0/8]",
      meaning: "Addresses or CIDR ranges of reverse proxies whose forwarding headers are trusted; [] without a proxy.",
    },
    { parse: parseProxyRange },
  ),
  sessions: {
    cookieSecret: text(
      {
        required: true,
        secret: true,
        inEffect,
        example: '"(at least 24 random characters)"',
        meaning: "Encrypts and signs session cookies; at least 24 characters. Changing it signs everyone out.",
      },
      longEnough,
    ),
    domain: textual(
      {
        required: true,
        inEffect,
        example: "rollcall.example.org",
        meaning: "Domain of the session cookie: the host of http.publicURL or a parent of it.",
      },
      { parse: parseCookieDomain },
    ),
  },
};
