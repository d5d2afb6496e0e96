import { useEffect, type ReactNode } from "react";
import { wrongAddress } from "#core/address.ts";
import { session, useSession } from "#core/services.ts";
import { useText } from "#core/i18n.ts";
import { outerPageOf } from "#core/session/outer.ts";
import { usePath } from "#core/session/path.ts";
import { ProblemNote } from "#ui/states.tsx";
import { ThemeProvider } from "#ui/provider.tsx";
import { BRAND, jobColour } from "#ui/accent.ts";
import { LoginPage } from "#features/auth/login.tsx";
import { LostSession } from "#features/auth/lost.tsx";
import { Alone, Application, CharacterChoice, FactorPage, SetupPage, TokenPage, Wallboard, WrongAddress } from "./outer.tsx";
import classes from "./root.module.css";

/** Shows the sign-in, the choice of characters or the application, which is loaded once the session is known. */
export function Root() {
  const state = useSession();
  const job = state.phase === "active" ? (state.character.job.colour ?? jobColour(state.character.job.name)) : BRAND;
  return (
    <ThemeProvider job={job}>
      <Screen />
    </ThemeProvider>
  );
}

function Screen() {
  const state = useSession();
  const wrong = wrongAddress();
  const page = outerPageOf(state, usePath());
  if (wrong !== null) return <WrongAddress {...wrong} />;
  switch (page) {
    case null:
      return null;
    case "register":
    case "reset":
      return <TokenPage key={page} kind={page} />;
    case "setup":
      return (
        <Covered>
          <SetupPage />
        </Covered>
      );
    case "wallboard":
      return <Wallboard />;
    case "unreachable":
      return <Unreachable error={state.phase === "unreachable" ? state.problem : null} />;
    case "factor":
      return <FactorPage />;
    case "login":
      return <LoginPage />;
    case "alone":
      return <Alone />;
    case "characters":
      return state.phase === "choosing" && <CharacterChoice account={state.account} characters={state.characters} />;
    case "application":
      return (
        <Covered>
          <Application key={state.phase === "active" ? state.character.id : undefined} />
        </Covered>
      );
  }
}

/** A page that stays, and is covered, while the session is lost. */
function Covered({ children }: { children: ReactNode }) {
  const state = useSession();
  const lost = state.phase === "active" && state.lost;
  return (
    <>
      <div className={classes["application"]} inert={lost}>
        {children}
      </div>
      {lost && <LostSession />}
    </>
  );
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
