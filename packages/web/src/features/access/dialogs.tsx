import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button, CopyButton, Select, Textarea } from "@mantine/core";
import type { RoleGrants } from "@rollcall/server/contract/access";
import { useText } from "#core/i18n.ts";
import { ProblemNote } from "#ui/states.tsx";
import { Changes } from "./changes.tsx";
import { changesBetween, copyOf, type OtherRole, pasted, type Catalogue } from "./grants.ts";
import { RoleDialog } from "./dialog.tsx";
import classes from "./dialogs.module.css";

export function CopyDialog({ grants, onClose }: { grants: RoleGrants; onClose: () => void }) {
  const { t } = useText();
  const text = copyOf(grants);
  return (
    <RoleDialog title={t("access.copy.open")} onClose={onClose}>
      <Textarea
        label={t("access.copy.label")}
        description={t("access.copy.text")}
        readOnly
        autosize
        maxRows={14}
        value={text}
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className={classes["dialogActions"]}>
        <CopyButton value={text}>
          {({ copied, copy }) => <Button onClick={copy}>{t(copied ? "web.copied" : "access.copy.now")}</Button>}
        </CopyButton>
      </div>
    </RoleDialog>
  );
}

interface ProposalProps {
  readonly grants: RoleGrants;
  onPropose(grants: RoleGrants): void;
  onClose(): void;
}

/** What a proposal would change, and the button that applies it to the draft; it waits for a proposal that changes something. */
function Proposal({ proposed, ...props }: ProposalProps & { proposed: RoleGrants | null }) {
  const { t } = useText();
  const changes = proposed ? changesBetween(props.grants, proposed) : [];
  return (
    <>
      {proposed && <Changes changes={changes} />}
      <div className={classes["dialogActions"]}>
        <Button variant="default" onClick={props.onClose}>
          {t("web.cancel")}
        </Button>
        <Button
          disabled={changes.length === 0}
          onClick={() => {
            if (proposed) props.onPropose(proposed);
            props.onClose();
          }}
        >
          {t("access.takeOver")}
        </Button>
      </div>
    </>
  );
}

export function PasteDialog(props: ProposalProps) {
  const { t } = useText();
  const [text, setText] = useState("");
  const proposed = pasted(text);
  return (
    <RoleDialog title={t("access.paste.open")} onClose={props.onClose}>
      <Textarea
        label={t("access.paste.label")}
        autosize
        minRows={4}
        maxRows={10}
        data-autofocus
        value={text}
        error={text !== "" && proposed === null ? t("access.paste.unreadable") : null}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Proposal {...props} proposed={proposed} />
    </RoleDialog>
  );
}

export function BundleDialog(props: ProposalProps & { catalogue: Catalogue }) {
  const { t } = useText();
  const [name, setName] = useState<string | null>(null);
  const bundle = props.catalogue.bundles.find((one) => one.name === name);
  return (
    <RoleDialog title={t("access.bundle.open")} onClose={props.onClose}>
      <Select
        label={t("access.bundle.label")}
        description={t("access.bundle.text")}
        placeholder={t("access.bundle.choose")}
        data={props.catalogue.bundles.map((one) => ({ value: one.name, label: t(`access.bundles.${one.name}`) }))}
        data-autofocus
        value={name}
        onChange={setName}
      />
      <Proposal {...props} proposed={bundle ? { ...props.grants, ...bundle.grants } : null} />
    </RoleDialog>
  );
}

export function CompareDialog(props: { grants: RoleGrants; others: readonly OtherRole[]; onClose: () => void }) {
  const { t } = useText();
  const [chosen, setChosen] = useState<string | null>(null);
  const other = useQuery({
    queryKey: ["access.compare", chosen],
    queryFn: async () => (await props.others.find(({ value }) => value === chosen)?.read()) ?? {},
    enabled: chosen !== null,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <RoleDialog title={t("access.compare.open")} onClose={props.onClose}>
      <Select
        label={t("access.compare.label")}
        data={props.others.map(({ value, label }) => ({ value, label }))}
        value={chosen}
        onChange={setChosen}
      />
      {other.isError && <ProblemNote error={other.error} />}
      {other.data && <Changes changes={changesBetween(props.grants, other.data)} />}
    </RoleDialog>
  );
}
