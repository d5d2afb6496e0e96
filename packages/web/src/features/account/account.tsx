import type { ComponentType } from "react";
import { useQuery } from "@tanstack/react-query";
import { ownAccount } from "@rollcall/server/contract/auth";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { hasNothing, queryOf } from "#core/queries.ts";
import { useSession } from "#core/services.ts";
import { titleOf, useRecordTitle } from "#core/title.ts";
import { CopyText } from "#ui/copy.tsx";
import { Facts, TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { Connections } from "#features/oauth/oauth.api.ts";
import { DisplaySection } from "./display.tsx";
import { PasswordSection } from "./password.tsx";
import { RightsSection } from "./rights.tsx";
import { SessionsSection } from "./sessions.tsx";
import { UsernameForm } from "./username.tsx";
import classes from "./account.module.css";

const Loading = () => <Bars widths={["60%", "45%", "70%"]} />;
const FactorSection = part<object>(["account"], () => import("./factor.tsx"), Loading);

const SECTIONS: Readonly<Record<string, ComponentType>> = {
  overview: Overview,
  display: DisplaySection,
  password: PasswordSection,
  sessions: SessionsSection,
  factor: FactorSection,
  // Leads to an external page, which the game's tablet must not open.
  ...(tablet ? {} : { connections: Connections }),
};

/** Sections that need a chosen character. */
const OF_CHARACTER: Readonly<Record<string, ComponentType>> = { rights: RightsSection };

/** The settings of one's own account, one section at a time. */
export function AccountSections(props: { section: string | undefined; onOpen: (path: string) => void }) {
  const { t } = useText();
  const sections = { ...SECTIONS, ...(useSession().phase === "active" ? OF_CHARACTER : {}) };
  const open = props.section !== undefined && props.section in sections ? props.section : "overview";
  const Shown = sections[open] ?? Overview;
  useRecordTitle(titleOf(t(`account.sections.${open}`), t("account.title")));
  return (
    <div className={classes["sections"]}>
      <nav className={classes["tabs"]} aria-label={t("account.title")}>
        {Object.keys(sections).map((section) => {
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
        <Shown />
      </div>
    </div>
  );
}

function Overview() {
  const { t } = useText();
  const query = useQuery(queryOf(ownAccount, {}));
  if (query.isPending) return <Bars widths={["60%", "45%", "70%"]} />;
  if (query.data === undefined || hasNothing(query))
    return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
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
