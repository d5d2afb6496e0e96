import { lazy, Suspense, useEffect } from "react";
import { session, useSession } from "#core/services.ts";
import { useText } from "#core/i18n.ts";
import { ProblemNote } from "#ui/states.tsx";
import { ThemeProvider } from "#ui/provider.tsx";
import { BRAND, jobColour } from "#ui/accent.ts";
import { LoginPage } from "#features/auth/login.tsx";
import { LostSession } from "#features/auth/lost.tsx";
import classes from "./root.module.css";

const CharacterChoice = lazy(() => import("#features/auth/characters.tsx"));
const Application = lazy(() => import("./application.tsx"));

/** What is shown depends on who is signed in; the application itself is loaded after that is known. */
export function Root() {
  const state = useSession();
  const accent = state.phase === "acting" ? (state.character.job.colour ?? jobColour(state.character.job.name)) : BRAND;
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
  switch (state.phase) {
    case "starting":
      return null;
    case "unreachable":
      return <Unreachable error={state.problem} />;
    case "signedOut":
      return <LoginPage />;
    case "choosing":
      return <CharacterChoice account={state.account} characters={state.characters} />;
    case "acting":
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
