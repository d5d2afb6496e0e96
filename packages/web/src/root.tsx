import { lazy, Suspense, useEffect } from "react";
import { session, useSession } from "#core/services.ts";
import { loadPanelTexts, useText } from "#core/i18n.ts";
import { usePath } from "#core/session/path.ts";
import { ProblemNote } from "#ui/states.tsx";
import { ThemeProvider } from "#ui/provider.tsx";
import { BRAND, jobColour } from "#ui/accent.ts";
import { LoginPage } from "#features/auth/login.tsx";
import { LostSession } from "#features/auth/lost.tsx";
import classes from "./root.module.css";

const CharacterChoice = lazy(() => import("#features/auth/characters.tsx"));
// Messages about a name or a token are in the texts of the accounts.
const TokenPage = lazy(async () => (await Promise.all([import("#features/auth/token.tsx"), loadPanelTexts()]))[0]);
const FactorPage = lazy(() => import("#features/auth/factor.tsx"));
const AccountAlone = lazy(() => import("#features/account/alone.tsx"));
const PanelAlone = lazy(() => import("#features/panel/panel.tsx"));
const SetupPage = lazy(async () => (await Promise.all([import("#features/setup/setup.tsx"), loadPanelTexts()]))[0]);
const Application = lazy(() => import("./application.tsx"));

/** Shows the sign-in, the choice of characters or the application, which is loaded once the session is known. */
export function Root() {
  const state = useSession();
  const accent = state.phase === "active" ? (state.character.job.colour ?? jobColour(state.character.job.name)) : BRAND;
  return (
    <ThemeProvider accent={accent}>
      <Suspense fallback={null}>
        <Screen />
      </Suspense>
    </ThemeProvider>
  );
}

function Screen() {
  const state = useSession();
  const path = usePath();
  if (state.phase === "starting") return null;
  // Pages with a token work regardless of the session of this browser.
  if (path === "/register" || path === "/reset")
    return <TokenPage key={path} kind={path === "/register" ? "register" : "reset"} />;
  // The setup begins signed out and continues signed in, with or without a character.
  if (path === "/setup")
    return (
      <>
        <div className={classes["application"]} inert={state.phase === "active" && state.lost}>
          <SetupPage />
        </div>
        {state.phase === "active" && state.lost && <LostSession />}
      </>
    );
  switch (state.phase) {
    case "unreachable":
      return <Unreachable error={state.problem} />;
    case "signedOut":
      return path === "/login/factor" ? <FactorPage /> : <LoginPage />;
    case "choosing":
      if (state.account.configAdmin && path.startsWith("/panel/")) return <PanelAlone />;
      return path === "/account" || path.startsWith("/account/") ? (
        <AccountAlone />
      ) : (
        <CharacterChoice account={state.account} characters={state.characters} />
      );
    case "active":
      return (
        <>
          <div className={classes["application"]} inert={state.lost}>
            <Application key={state.character.id} />
          </div>
          {state.lost && <LostSession />}
        </>
      );
  }
}

function Unreachable({ error }: { error: unknown }) {
  const { t } = useText();
  useEffect(() => {
    const again = () => void session.start();
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, []);
  return (
    <main className={classes["unreachable"]}>
      <h1>{t("web.unreachable")}</h1>
      <ProblemNote error={error} onRetry={() => void session.start()} />
    </main>
  );
}
