import { useEffect, useState, type ReactNode } from "react";
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { setupState } from "@rollcall/server/contract/setup";
import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { createQueries, queryOf } from "#core/queries.ts";
import { useSession } from "#core/services.ts";
import { go } from "#core/session/path.ts";
import { setTitle } from "#core/title.ts";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { LanguageSwitch } from "#ui/switches.tsx";
import icon from "#core/icon.svg";
import { CommunityStep } from "./community.tsx";
import { DoneStep } from "./done.tsx";
import { FirstAdminStep } from "./first.tsx";
import { StepTitle } from "./parts.tsx";
import { SyncStep } from "./sync.tsx";
import classes from "./setup.module.css";

const STEPS = ["first", "community", "sync", "done"] as const;
type Step = (typeof STEPS)[number];

/** Leads from an empty instance to the first admin and a connected game server. */
export default function SetupPage() {
  const { t } = useText();
  const [queries] = useState(createQueries);
  const name = useClientConfig()?.name ?? "Rollcall";
  useEffect(() => {
    setTitle(`${t("setup.title")} · ${name}`);
  }, [t, name]);
  return (
    <QueryClientProvider client={queries}>
      <main className={classes["page"]}>
        <div className={classes["box"]}>
          <div className={classes["brand"]}>
            <img src={icon} alt="" />
            <div>
              <h1>{t("setup.title")}</h1>
              <p>{name}</p>
            </div>
            <LanguageSwitch />
          </div>
          <Wizard />
        </div>
      </main>
    </QueryClientProvider>
  );
}

function Wizard() {
  const state = useSession();
  const [later, setLater] = useState<Exclude<Step, "first">>("community");
  if (state.phase !== "choosing" && state.phase !== "active") return <Entrance />;
  if (!state.account.configAdmin) return <Closed why="notAdmin" />;
  return (
    <Panel step={later}>
      {later === "community" && <CommunityStep onDone={() => setLater("sync")} />}
      {later === "sync" && <SyncStep onBack={() => setLater("community")} onDone={() => setLater("done")} />}
      {later === "done" && <DoneStep hasCharacter={state.phase === "active"} />}
    </Panel>
  );
}

function Panel({ step, children }: { step: Step; children: ReactNode }) {
  const { t } = useText();
  return (
    <>
      <ol className={classes["steps"]} aria-label={t("setup.steps.label")}>
        {STEPS.map((one, index) => (
          <li key={one} aria-current={one === step ? "step" : undefined} data-past={index < STEPS.indexOf(step)}>
            {t(`setup.steps.${one}`)}
          </li>
        ))}
      </ol>
      <div className={classes["panel"]} key={step}>
        {children}
      </div>
    </>
  );
}

/** Signed out: creates the first admin, or leads to the sign-in. */
function Entrance() {
  const query = useQuery({ ...queryOf(setupState, {}), staleTime: 0 });
  if (query.isPending) return <Bars widths={["60%", "80%", "50%"]} />;
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!query.data.needed) return <Closed why="notNeeded" />;
  return (
    <Panel step="first">
      <FirstAdminStep />
    </Panel>
  );
}

function Closed({ why }: { why: "notNeeded" | "notAdmin" }) {
  const { t } = useText();
  return (
    <div className={classes["panel"]}>
      <StepTitle>{t(`setup.${why}.title`)}</StepTitle>
      <p>{t(`setup.${why}.text`)}</p>
      <div className={classes["acts"]}>
        <Button
          component="a"
          href="/"
          onClick={(event) => {
            event.preventDefault();
            go("/");
          }}
        >
          {t(`setup.${why}.go`)}
        </Button>
      </div>
    </div>
  );
}
