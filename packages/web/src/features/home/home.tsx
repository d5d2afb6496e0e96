import { lazy, Suspense, useState, type ComponentType } from "react";
import { Link } from "@tanstack/react-router";
import { Title } from "@mantine/core";
import { IconCar, IconCheck, IconLock, IconSearch, IconUsers } from "@tabler/icons-react";
import { citizenFields, citizensPermissions } from "@rollcall/server/contract/citizens";
import { vehicleFields, vehiclesPermissions } from "@rollcall/server/contract/vehicles";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { isDisabled, useClientConfig } from "#core/client.ts";
import { loadPanelTexts, useText } from "#core/i18n.ts";
import { recentOf } from "#core/recent.ts";
import { permissionName } from "#core/messages.ts";
import { JobMessage } from "#features/jobs/jobs.api.ts";
import { loadApprovalsHint } from "#features/approvals/approvals.api.ts";
import { Board } from "#features/notices/notices.api.ts";
import { ScrollArea } from "#ui/scroll.tsx";
import { JobTag, Keys } from "#ui/small.tsx";
import { loadPresence } from "#features/realtime/realtime.api.ts";
import { loadSetupHint } from "#features/setup/setup.api.ts";
import classes from "./home.module.css";

const ApprovalsHint = lazy(loadApprovalsHint);
const Presence = lazy(loadPresence);
const SetupHint = lazy(async () => (await Promise.all([loadSetupHint(), loadPanelTexts()]))[0]);

interface OfferedPage {
  readonly to: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  readonly title: string;
  readonly text: string;
  readonly keys: string;
  readonly needs: string;
}

const OFFERED_PAGES: readonly OfferedPage[] = [
  {
    to: "/citizens",
    icon: IconUsers,
    title: "citizens.title",
    text: "citizens.titleHint",
    keys: "g c",
    needs: citizensPermissions.list.id,
  },
  {
    to: "/vehicles",
    icon: IconCar,
    title: "vehicles.title",
    text: "vehicles.titleHint",
    keys: "g v",
    needs: vehiclesPermissions.list.id,
  },
];

/** What this character can do, and what it opened recently. */
export default function HomePage() {
  const { t } = useText();
  const { account, character } = useActiveIdentity();
  return (
    <ScrollArea className={classes["page"]} label={t("home.title")}>
      <div className={classes["inner"]}>
        <header className={classes["head"]}>
          <Title order={1}>{t("home.greeting", { name: character.firstName })}</Title>
          <JobTag job={character.job} />
        </header>
        {account.configAdmin && (
          <Suspense fallback={null}>
            <SetupHint />
          </Suspense>
        )}
        <Suspense fallback={null}>
          <ApprovalsHint />
        </Suspense>
        <JobMessage />
        <Suspense fallback={null}>
          <Presence />
        </Suspense>
        <Board />
        <Places />
        <div className={classes["columns"]}>
          <Recent />
          <OwnRights />
        </div>
      </div>
    </ScrollArea>
  );
}

function Places() {
  const { t } = useText();
  const abilities = useAbilities();
  const open = OFFERED_PAGES.filter(({ needs }) => abilities.has(needs));
  return (
    <ul className={classes["places"]}>
      {open.map((place) => (
        <li key={place.to}>
          <Link to={place.to} className={classes["place"]}>
            <place.icon size={22} stroke={1.6} />
            <span className={classes["placeText"]}>
              <strong>{t(place.title)}</strong>
              <span>{t(place.text)}</span>
            </span>
            <Keys keys={place.keys} hint />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Recent() {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const [entries] = useState(() => recentOf(character.id));
  return (
    <section className={classes["panel"]}>
      <h2>{t("home.recent")}</h2>
      {entries.length === 0 ? (
        <p className={classes["quiet"]}>
          <IconSearch size={15} aria-hidden /> {t("home.recentEmpty")}
        </p>
      ) : (
        <ul className={classes["recent"]}>
          {entries.map((entry) => (
            <li key={`${entry.kind} ${entry.id}`}>
              <Link to={`/${entry.kind}/${entry.id}`}>
                <span>{entry.title}</span>
                <span className={classes["ref"]}>{entry.ref}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface Right {
  readonly id: string;
  readonly text: string;
  readonly held: boolean;
}

function OwnRights() {
  const { t } = useText();
  const { character, jobAdmin } = useActiveIdentity();
  const rights = useRights();
  return (
    <section className={classes["panel"]}>
      <h2>{t("home.rights")}</h2>
      <ul className={classes["rights"]}>
        {rights.map(({ id, text, held }) => (
          <li key={id} data-held={held}>
            {held ? <IconCheck size={15} aria-hidden /> : <IconLock size={15} aria-hidden />}
            <span>
              {text}
              {!held && <span className="rc-hidden"> ({t("home.notHeld")})</span>}
            </span>
          </li>
        ))}
      </ul>
      <p className={classes["quiet"]}>{jobAdmin ? t("home.rightsAdmin") : t("home.rightsWho", { job: character.job.label })}</p>
    </section>
  );
}

function useRights(): readonly Right[] {
  const { t } = useText();
  const abilities = useAbilities();
  const client = useClientConfig();
  const permissions = [citizensPermissions.list, citizensPermissions.view, vehiclesPermissions.list];
  const field = (permission: { readonly id: string }, name: string): Right => {
    const feature = permission.id.split(".")[0]!;
    return {
      id: `${permission.id} ${name}`,
      text: t("home.field", { field: t(`${feature}.fields.${name}`) }),
      held: abilities.sees(permission, name),
    };
  };
  return [
    ...permissions.map((permission) => ({
      id: permission.id,
      text: permissionName(t, permission.id),
      held: abilities.has(permission),
    })),
    ...citizenFields
      .filter((name) => !isDisabled(client, `citizens.${name}`))
      .map((name) => field(citizensPermissions.list, name)),
    ...vehicleFields.map((name) => field(vehiclesPermissions.list, name)),
  ];
}
