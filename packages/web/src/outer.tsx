import { part } from "#core/part.ts";
import { session } from "#core/services.ts";
import { outerPageOf, type OuterPage } from "#core/session/outer.ts";
import type { CharacterChoiceProps } from "#features/auth/characters.tsx";
import type { TokenPageProps } from "#features/auth/token.tsx";

export const CharacterChoice = part<CharacterChoiceProps>([], () => import("#features/auth/characters.tsx"));
// Messages about a name or a token are among the errors of all features.
export const TokenPage = part<TokenPageProps>(["frame"], () => import("#features/auth/token.tsx"));
export const FactorPage = part<object>([], () => import("#features/auth/factor.tsx"));
export const SetupPage = part<object>(["frame", "setup", "settings"], () => import("#features/setup/setup.tsx"));
export const Alone = part<object>(["frame"], () => import("./alone.tsx"));
export const Application = part<object>(["frame"], () => import("./application.tsx"));

const PARTS: Partial<Record<OuterPage, { load(): Promise<void> }>> = {
  characters: CharacterChoice,
  register: TokenPage,
  reset: TokenPage,
  factor: FactorPage,
  setup: SetupPage,
  alone: Alone,
  application: Application,
};

/** Loads what fills the window now, so that the first paint shows it. */
export async function loadOuterPage(): Promise<void> {
  const page = outerPageOf(session.state.get(), location.pathname);
  await (page === null ? undefined : PARTS[page]?.load());
}
