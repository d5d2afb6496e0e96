import { wrongAddress, type UnlistedAddress } from "#core/address.ts";
import { withTexts } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { session } from "#core/services.ts";
import { outerAddresses, outerPageOf, type OuterPage } from "#core/session/outer.ts";
import type { CharacterChoiceProps } from "#features/auth/characters.tsx";
import type { TokenPageProps } from "#features/auth/token.tsx";

export const CharacterChoice = part<CharacterChoiceProps>([], () => import("#features/auth/characters.tsx"));
// Messages about a name or a token are among the errors of all features.
export const WrongAddress = part<UnlistedAddress>([], () => import("#features/auth/address.tsx"));
export const TokenPage = part<TokenPageProps>(["frame"], () => import("#features/auth/token.tsx"));
export const FactorPage = part<object>([], () => import("#features/auth/factor.tsx"));
export const SetupPage = part<object>(["frame", "setup", "settings"], () => import("#features/setup/setup.tsx"));
export const Wallboard = part<object>(["wallboard"], () => import("#features/wallboard/board.tsx"));
export const Alone = part<object>(["frame"], () => import("./alone.tsx"));
const loadRoutes = withTexts(["frame"], async () => (await import("./application.tsx")).loadPage);
export const Application = part<object>(["frame"], () => import("./application.tsx"));

const PARTS: Partial<Record<OuterPage, { load(): Promise<void> }>> = {
  characters: CharacterChoice,
  register: TokenPage,
  reset: TokenPage,
  factor: FactorPage,
  setup: SetupPage,
  wallboard: Wallboard,
  alone: Alone,
  application: Application,
};

/**
 * Loads the page of this address beside the question who is signed in, which takes two calls one after the other: it is
 * the one that a session most likely leads to. What fails is loaded again when it is shown.
 */
export async function loadLikelyPage(texts: Promise<unknown>): Promise<void> {
  if (wrongAddress() !== null || outerAddresses.some((path) => location.pathname.startsWith(path))) return;
  await texts;
  const loadPage = await loadRoutes();
  await Promise.all([Application.load(), loadPage()]);
}

/**
 * Loads what fills the window now, so that the first paint shows it. The application waits for its likely page too: a
 * router that is drawn without it draws frame and page in one long task when it arrives.
 */
export async function loadOuterPage(likely?: Promise<unknown>): Promise<void> {
  if (wrongAddress() !== null) return await WrongAddress.load();
  const page = outerPageOf(session.state.get(), location.pathname);
  await Promise.all([page === null ? undefined : PARTS[page]?.load(), page === "application" ? likely : undefined]);
}
