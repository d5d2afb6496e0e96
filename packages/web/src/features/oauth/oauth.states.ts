import type { Page } from "playwright-core";
import { offerIcons } from "@rollcall/testkit/icons.ts";
import type { PageState } from "@rollcall/testkit/states.ts";

const json = (body: unknown) => ({ status: 200, contentType: "application/json", body: JSON.stringify(body) });

const providers = [
  { name: "cityid", label: "City ID", homepage: "https://id.example.org", icon: "/favicon.svg", iconName: null },
  {
    name: "forum",
    label: "A forum with a name that is longer than any button is wide",
    homepage: null,
    icon: null,
    iconName: "tabler:messages",
  },
  { name: "chat", label: "Chat", homepage: null, icon: "/api/oauth2/providers/chat/icon", iconName: null },
];

const offered = async (page: Page) => {
  await offerIcons(page);
  await page.route("**/api/oauth2/providers", async (route) => await route.fulfill(json({ providers })));
};

export const pageStates: readonly PageState[] = [
  {
    name: "login-providers",
    path: "/?oauth=unconnected&provider=cityid",
    prepare: offered,
    ready: "main a:has-text('City ID')",
  },
  {
    name: "login-providers-german",
    path: "/?oauth=exchangeFailed&provider=chat",
    language: "de",
    prepare: offered,
    ready: "main a:has-text('Mit City ID anmelden')",
  },
];
