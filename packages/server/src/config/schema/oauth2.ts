import { refuse } from "../parsed.ts";
import { parseHttpUrl } from "../web.ts";
import { entryList, textList } from "./collections.ts";
import type { EntryCheck } from "./option.ts";
import { oneOf, text, textual } from "./kinds.ts";

function routeName(value: string) {
  const good = /^[A-Za-z0-9_-]{1,64}$/.test(value);
  return good ? null : refuse(`"${value}" cannot stand in an address`, "write 1 to 64 letters, digits, hyphens or underscores");
}

const url = (meaning: string, example: string) =>
  textual({ meaning, example }, { parse: (value) => parseHttpUrl(value, example) });

const provider = {
  name: text({ required: true, example: "forum", meaning: "Name of the provider in addresses; unique." }, routeName),
  label: text({ example: "Forum", meaning: "Text of the login button." }),
  homepage: url("Home page of the provider.", "https://forum.example.org"),
  icon: text({ example: "mdi:account", meaning: "Icon name or image address of the login button." }),
  defaultAvatar: url("Avatar of people who have none.", "https://forum.example.org/avatar.png"),
  type: oneOf(["generic", "chat"], {
    required: true,
    example: "generic",
    meaning: "generic needs its endpoints and mapping.id; chat is the chat platform and knows its own.",
  }),
  redirectURL: textual(
    {
      required: true,
      example: "https://rollcall.example.org/api/oauth2/callback/forum",
      meaning: "The callback address registered with the provider.",
    },
    { parse: (value) => parseHttpUrl(value, "https://rollcall.example.org/api/oauth2/callback/forum") },
  ),
  clientID: text({ required: true, example: '"client-id"', meaning: "Client id given by the provider." }),
  clientSecret: text({
    required: true,
    secret: true,
    example: '"(client secret)"',
    meaning: "Client secret given by the provider.",
  }),
  scopes: textList({ example: "[openid, profile]", meaning: "Scopes that are asked for." }),
  endpoints: {
    authURL: url("Address of the sign-in page.", "https://forum.example.org/oauth/authorize"),
    tokenURL: url("Address that exchanges the code for a token.", "https://forum.example.org/oauth/token"),
    userInfoURL: url("Address that tells who signed in.", "https://forum.example.org/oauth/userinfo"),
  },
  mapping: {
    id: text({ example: "sub", meaning: "Field with the unique id of a person." }),
    username: text({ example: "preferred_username", meaning: "Field with the name of a person." }),
    avatar: text({ example: "picture", meaning: "Field with the avatar address of a person." }),
  },
};

const genericNeedsAll: EntryCheck<typeof provider> = (entry, complain) => {
  if (entry.type !== "generic") return;
  for (const [name, value] of Object.entries(entry.endpoints)) {
    if (value === null)
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
      example: "[{name: forum, type: generic, ...}]",
      meaning: "External providers that people may sign in with.",
    },
    provider,
    genericNeedsAll,
  ),
};
