import { accept, isAccepted, refuse } from "../parsed.ts";
import { parseHttpUrl } from "../web.ts";
import { entryList, textList } from "./collections.ts";
import type { EntryCheck } from "./option.ts";
import { oneOf, text, textual } from "./kinds.ts";

function routeName(value: string) {
  const good = /^[A-Za-z0-9_-]{1,64}$/.test(value);
  return good ? null : refuse(`"${value}" cannot be part of a URL`, "write 1 to 64 letters, digits, hyphens or underscores");
}

const inEffect = true;

/** Not normalised: providers compare URLs as text, and a trailing slash may be significant. */
function verbatimUrl(value: string, example: string) {
  const parsed = parseHttpUrl(value, example);
  return isAccepted(parsed) ? accept(value) : parsed;
}

const url = (meaning: string, example: string) =>
  textual({ inEffect, meaning, example }, { parse: (value) => verbatimUrl(value, example) });

const callbackExample = "https://rollcall.example.org/api/oauth2/callback/forum";

const provider = {
  name: text({ required: true, inEffect, example: "forum", meaning: "Name of the provider in URLs; unique." }, routeName),
  label: text({ inEffect, example: "Forum", meaning: "Text of the login button; the name by default." }),
  homepage: url("Home page of the provider.", "https://forum.example.org"),
  icon: text({
    inEffect,
    example: "mdi:account",
    meaning:
      "Icon of the login button: the address of an image, which the server fetches and serves itself, or the name of an icon, such as tabler:shield, which is drawn from the sets of icons.path or icons.proxy.",
  }),
  defaultAvatar: url("Avatar of people who have none.", "https://forum.example.org/avatar.png"),
  type: oneOf(["generic", "chat"], {
    required: true,
    inEffect,
    example: "generic",
    meaning: "generic requires endpoints and mapping.id; chat is the chat platform, whose endpoints are built in.",
  }),
  redirectURL: textual(
    {
      required: true,
      inEffect,
      example: callbackExample,
      meaning:
        "The callback address registered with the provider, sent as written: http.publicURL with /api/oauth2/callback/ and the name.",
    },
    { parse: (value) => verbatimUrl(value, callbackExample) },
  ),
  clientID: text({ required: true, inEffect, example: '"client-id"', meaning: "Client id given by the provider." }),
  clientSecret: text({
    required: true,
    secret: true,
    inEffect,
    example: '"(client secret)"',
    meaning: "Client secret given by the provider.",
  }),
  scopes: textList({
    inEffect,
    example: "[openid, profile]",
    meaning: "Requested scopes; chat requests identify by default. With openid, nonce and id token are validated too.",
  }),
  endpoints: {
    authURL: url(
      "URL of the sign-in page. With openid in scopes it is also the base of OpenID discovery.",
      "https://forum.example.org/oauth/authorize",
    ),
    tokenURL: url(
      "URL that exchanges the code for a token; optional with OpenID discovery.",
      "https://forum.example.org/oauth/token",
    ),
    userInfoURL: url("URL of the user info; optional with OpenID discovery.", "https://forum.example.org/oauth/userinfo"),
  },
  mapping: {
    id: text({
      inEffect,
      example: "sub",
      meaning: "Field with the unique id of a person, a text or a whole number; a.b.c for nested fields.",
    }),
    username: text({ inEffect, example: "preferred_username", meaning: "Field with the name of a person." }),
    avatar: text({ inEffect, example: "picture", meaning: "Field with the avatar URL of a person." }),
  },
};

const genericNeedsAll: EntryCheck<typeof provider> = (entry, complain) => {
  if (entry.type !== "generic") return;
  const discovers = entry.scopes?.includes("openid") === true;
  for (const [name, value] of Object.entries(entry.endpoints)) {
    if (value === null && (name === "authURL" || !discovers))
      complain(`endpoints.${name}`, refuse("is missing for a provider of type generic", `write ${name}: https://...`));
  }
  if (entry.mapping.id === null) {
    complain(
      "mapping.id",
      refuse("is missing for a provider of type generic", "write the field with the unique id, for example id: sub"),
    );
  }
};

export const oauth2 = {
  providers: entryList(
    {
      default: [],
      inEffect,
      example: "[{name: forum, type: generic, ...}]",
      meaning: "External providers for signing in.",
    },
    provider,
    genericNeedsAll,
  ),
};
