import { useEffect, type ReactNode } from "react";
import { Badge } from "@mantine/core";
import { IconUserOff } from "@tabler/icons-react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { rememberRecent } from "#core/recent.ts";
import { calendarDay, playedTime } from "#core/time.ts";
import { isOffered, useDeclared } from "#core/pages.ts";
import { FieldHint } from "#ui/fieldHint.tsx";
import { CopyText } from "#ui/copy.tsx";
import { DetailStates } from "#ui/detailStates.tsx";
import { Facts, JobTag, Section, TimeAgo } from "#ui/small.tsx";
import { ForbiddenPage } from "#ui/refusals.tsx";
import { RecordActions } from "#ui/recordActions.tsx";
import { DetailPane } from "#ui/split.tsx";
import { EmptyState } from "#ui/states.tsx";
import { Avatar } from "./avatar.tsx";
import { fullName, refOf, sexText } from "./columns.tsx";
import { useCitizen, useMayOpen, type Citizen } from "./citizens.queries.ts";
import { restrictedPart, type RestrictedPart } from "./restricted.ts";
import classes from "./citizens.module.css";

const WIDTHS = ["60%", "80%", "45%", "70%", "55%", "75%"];

export function CitizenProfile({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const { query, citizen, deleted, listed } = useCitizen(id);
  const mayView = useMayOpen(id);
  const named = citizen ?? listed;
  const title = named ? fullName(named) : refOf(id);

  useEffect(() => {
    if (citizen) rememberRecent(character.id, { kind: "citizens", id, ref: refOf(id), title: fullName(citizen) });
  }, [character.id, id, citizen]);

  const missing = { icon: IconUserOff, title: t("citizens.missing.title"), text: t("citizens.missing.text") };
  return (
    <DetailPane
      title={title}
      label={t("citizens.profileOf", { name: title })}
      onClose={onClose}
      actions={citizen && <RecordActions path={`/citizens/${id}`} />}
      under={<CopyText text={refOf(id)} label={t("citizens.columns.id")} />}
    >
      {!mayView && <ForbiddenPage permission={citizensPermissions.view.id} />}
      {mayView && <DetailStates query={query} widths={WIDTHS} missing={missing} />}
      {deleted && <EmptyState icon={IconUserOff} title={t("citizens.deleted.title")} text={t("citizens.deleted.text")} />}
      {citizen && <Sections citizen={citizen} />}
    </DetailPane>
  );
}

function Sections({ citizen }: { citizen: Citizen }) {
  const { t } = useText();
  // What was left out must not look as if the person did not have it.
  const isOwn = citizen.id === useActiveIdentity().character.id;
  const limited = useAbilities().isLimited(citizensPermissions.list, "licenceTypes") && !isOwn;
  return (
    <>
      <Avatar citizen={citizen} />
      <Section title={t("citizens.sections.facts")}>
        <PersonalFacts citizen={citizen} />
      </Section>
      <Restricted citizen={citizen} field="job" title={t("citizens.sections.jobs")} count={citizen.jobs?.length}>
        <Rows empty={t("citizens.noJobs")}>
          {citizen.jobs?.map((job) => (
            <li key={job.name}>
              <JobTag job={job} />
              {job.primary && (citizen.jobs?.length ?? 0) > 1 && <Primary />}
            </li>
          ))}
        </Rows>
      </Restricted>
      <Restricted citizen={citizen} field="phone" title={t("citizens.sections.phones")} count={citizen.phoneNumbers?.length}>
        <Rows empty={t("citizens.noPhones")}>
          {citizen.phoneNumbers?.map(({ number, primary }) => (
            <li key={number}>
              <CopyText text={number} label={t("citizens.columns.phone")} />
              {primary && (citizen.phoneNumbers?.length ?? 0) > 1 && <Primary />}
            </li>
          ))}
        </Rows>
      </Restricted>
      <Restricted
        citizen={citizen}
        field="licences"
        title={t("citizens.sections.licences")}
        count={citizen.licences?.length}
        limited={limited}
      >
        {limited && <p className={classes["none"]}>{t("citizens.someLicences")}</p>}
        {citizen.licences?.length === 0 ? (
          !limited && <p className={classes["none"]}>{t("citizens.noLicences")}</p>
        ) : (
          <ul className={classes["chips"]}>
            {citizen.licences?.map(({ type, label }) => (
              <li key={type}>
                <Badge variant="default" size="lg" fw={400}>
                  {label === "" ? type : label}
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </Restricted>
      <OtherSections citizenId={citizen.id} />
    </>
  );
}

/** What other features know about the citizen. */
function OtherSections({ citizenId }: { citizenId: number }) {
  const { profile } = useDeclared();
  const identity = useActiveIdentity();
  return profile.filter((one) => isOffered(one, identity)).map(({ id, section: One }) => <One key={id} citizenId={citizenId} />);
}

function PersonalFacts({ citizen }: { citizen: Citizen }) {
  const { t, language } = useText();
  const facts: { label: string; value: ReactNode }[] = [
    {
      label: t("citizens.columns.dateOfBirth"),
      value: citizen.dateOfBirth && calendarDay(citizen.dateOfBirth, language),
    },
    { label: t("citizens.columns.sex"), value: sexText(t, citizen.sex) },
    {
      label: t("citizens.columns.height"),
      value: citizen.height === null ? null : t("citizens.centimetres", { value: citizen.height }),
    },
  ];
  if (citizen.visum !== undefined) facts.push({ label: t("citizens.columns.visum"), value: citizen.visum });
  if (citizen.playtime !== undefined) {
    facts.push({
      label: t("citizens.columns.playtime"),
      value: citizen.playtime === null ? null : playedTime(citizen.playtime),
    });
  }
  facts.push({ label: t("citizens.columns.updatedAt"), value: <TimeAgo instant={citizen.updatedAt} /> });
  const hidden = citizen.hidden.filter(({ field }) => field === "visum" || field === "playtime");
  return (
    <>
      <Facts facts={facts} />
      {hidden[0] && (
        <div className={classes["hint"]}>
          <HiddenFields fields={hidden.map(({ field }) => field)} permission={hidden[0].permission} />
        </div>
      )}
    </>
  );
}

function HiddenFields({ fields, permission }: { fields: readonly string[]; permission: string }) {
  const { t } = useText();
  return <FieldHint permission={permission} fields={fields.map((field) => t(`citizens.fields.${field}`))} />;
}

/** A part of the profile that needs a right: its content, or the missing right. */
function Restricted({
  citizen,
  title,
  children,
  ...part
}: RestrictedPart & { citizen: Citizen; title: string; children: ReactNode }) {
  const shown = restrictedPart(citizen, part);
  if (shown === null) return null;
  const { missing, count } = shown;
  return (
    <Section title={title} {...(count === undefined ? {} : { count })}>
      {missing ? <HiddenFields fields={[missing.field]} permission={missing.permission} /> : children}
    </Section>
  );
}

function Rows({ empty, children }: { empty: string; children: ReactNode[] | undefined }) {
  if (!children || children.length === 0) return <p className={classes["none"]}>{empty}</p>;
  return <ul className={classes["rows"]}>{children}</ul>;
}

function Primary() {
  const { t } = useText();
  return (
    <Badge variant="default" size="sm" fw={400}>
      {t("citizens.primary")}
    </Badge>
  );
}
