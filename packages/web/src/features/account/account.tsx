import { lazy, Suspense, useEffect, type ComponentType } from "react";
import { useQuery } from "@tanstack/react-query";
import { ownAccount } from "@rollcall/server/contract/auth";
import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { queryOf } from "#core/queries.ts";
import { CopyText } from "#ui/copy.tsx";
import { Facts, TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { loadConnections } from "#features/oauth/oauth.api.ts";
import { DisplaySection } from "./display.tsx";
import { PasswordSection } from "./password.tsx";
import { SessionsSection } from "./sessions.tsx";
import { UsernameForm } from "./username.tsx";
import classes from "./account.module.css";

const FactorSection = lazy(() => import("./factor.tsx"));
const Connections = lazy(loadConnections);

const SECTIONS: Readonly<Record<string, ComponentType>> = {
  overview: Overview,
  display: DisplaySection,
  password: PasswordSection,
  sessions: SessionsSection,
  factor: FactorSection,
  // Leads to an external page, which the game's tablet must not open.
  ...(tablet ? {} : { connections: Connections }),
};

/** The settings of one's own account, one section at a time. */
export function AccountSections(props: { section: string | undefined; onOpen: (path: string) => void }) {
  const { t } = useText();
  const name = useClientConfig()?.name ?? "Rollcall";
  const open = props.section !== undefined && props.section in SECTIONS ? props.section : "overview";
  const Shown = SECTIONS[open] ?? Overview;
  useEffect(() => {
    document.title = `${t(`account.sections.${open}`)} · ${name}`;
  }, [t, open, name]);
  return (
    <div className={classes["sections"]}>
      <nav className={classes["tabs"]} aria-label={t("account.title")}>
        {Object.keys(SECTIONS).map((section) => {
          const path = section === "overview" ? "/account" : `/account/${section}`;
          return (
            <a
              key={section}
              href={path}
              aria-current={section === open ? "page" : undefined}
              onClick={(event) => {
                event.preventDefault();
                props.onOpen(path);
              }}
            >
              {t(`account.sections.${section}`)}
            </a>
          );
        })}
      </nav>
      <div className={classes["section"]} key={open}>
        <Suspense fallback={<Bars widths={["60%", "45%", "70%"]} />}>
          <Shown />
        </Suspense>
      </div>
    </div>
  );
}

function Overview() {
  const { t } = useText();
  const query = useQuery(queryOf(ownAccount, {}));
  if (query.isPending) return <Bars widths={["60%", "45%", "70%"]} />;
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  const { account, licence, groups, createdAt } = query.data;
  const powers = account.configAdmin ? "config" : account.mayJobAdmin ? "job" : account.factorNeededForAdmin ? "factor" : null;
  return (
    <>
      <h2>{t("account.sections.overview")}</h2>
      <Facts
        facts={[
          { label: t("account.username"), value: account.username },
          { label: t("account.licence"), value: <CopyText text={licence} label={t("account.licence")} /> },
          { label: t("account.groups"), value: groups.length === 0 ? t("account.noGroups") : groups.join(", ") },
          { label: t("account.since"), value: <TimeAgo instant={createdAt} /> },
          ...(powers === null ? [] : [{ label: t("account.powers"), value: t(`account.power.${powers}`) }]),
        ]}
      />
      <h2>{t("account.rename.title")}</h2>
      <UsernameForm username={account.username} onDone={() => void query.refetch()} />
    </>
  );
}
