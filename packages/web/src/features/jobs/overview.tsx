import { useState } from "react";
import { Button, Title } from "@mantine/core";
import { IconExternalLink, IconMessage2 } from "@tabler/icons-react";
import { type JobLink, jobsPermissions } from "@rollcall/server/contract/jobs";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { cardsFor, kindsOf, useDeclared } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { CopyText } from "#ui/copy.tsx";
import { ScrollArea } from "#ui/scroll.tsx";
import { JobTag, TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type Loaded, useProperties } from "./jobs.queries.ts";
import type { MessageDialogProps } from "./messageDialog.tsx";
import classes from "./jobs.module.css";

const MessageDialog = part<MessageDialogProps>(["jobs"], () => import("./messageDialog.tsx"));

/** One's job at a glance: message of the day, radio, links, and what the features know of it now. */
export default function OverviewPage() {
  const { t } = useText();
  const identity = useActiveIdentity();
  const { job, query } = useProperties();
  const label = useJobLabels()(job);
  const { home, leads } = useDeclared();
  const ofJob = home.filter((one) => one.ofJob === true);
  const cards = cardsFor(ofJob, kindsOf(identity, leads), identity);
  return (
    <ScrollArea className={classes["page"]} label={t("jobs.overview.title")}>
      <div className={classes["inner"]}>
        <header className={classes["head"]}>
          <Title order={1}>{t("jobs.overview.of", { job: label })}</Title>
          {job === identity.character.job.name && <JobTag job={identity.character.job} />}
        </header>
        {query.isPending && <Bars widths={["60%", "80%"]} />}
        {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
        {query.data && <Message loaded={query.data} />}
        {query.data && <Links links={query.data.properties.links ?? []} />}
        <div>
          {cards.map(({ id, card: Card }) => (
            <Card key={id} />
          ))}
        </div>
      </div>
    </ScrollArea>
  );
}

function Message({ loaded }: { readonly loaded: Loaded }) {
  const { t } = useText();
  const mayWrite = useAbilities().has(jobsPermissions.message);
  const [writing, setWriting] = useState(false);
  const { properties, message } = loaded;
  const { radioFrequency } = properties;
  if (properties.message === "" && radioFrequency === "" && !mayWrite) return null;
  return (
    <section className={classes["message"]} aria-label={t("jobs.message")}>
      <p className={properties.message === "" ? classes["quiet"] : ""}>{properties.message || t("jobs.overview.noMessage")}</p>
      <div className={classes["foot"]}>
        {radioFrequency !== "" && (
          <span>
            <CopyText text={radioFrequency} label={t("jobs.overview.radio")} showLabel />
          </span>
        )}
        {message && (
          <span>
            {message.by} · <TimeAgo instant={message.at} />
          </span>
        )}
      </div>
      {mayWrite && (
        <div className={classes["buttons"]} data-screen-only>
          <Button
            variant="default"
            leftSection={<IconMessage2 size={15} />}
            aria-haspopup="dialog"
            onClick={() => setWriting(true)}
          >
            {t("jobs.overview.write")}
          </Button>
        </div>
      )}
      {writing && <MessageDialog loaded={loaded} onClose={() => setWriting(false)} />}
    </section>
  );
}

function Links({ links }: { readonly links: readonly JobLink[] }) {
  const { t } = useText();
  if (links.length === 0) return null;
  return (
    <nav aria-label={t("jobs.overview.links")} className={classes["links"]}>
      <ul>
        {links.map(({ title, address }, at) => (
          <li key={at}>
            <a href={address} target="_blank" rel="noopener noreferrer" title={address}>
              <IconExternalLink size={14} aria-hidden />
              {title}
              <span className="rc-hidden"> {t("jobs.overview.outside")}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
