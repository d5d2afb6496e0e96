import { useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { createUnit, listUnits, putUnit, type Unit, type UnitContent } from "@rollcall/server/contract/units";
import contract from "virtual:form/units/createUnit";
import { useWorkedJob } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { jobColour } from "#ui/accent.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { NumberField, SwitchField, TagsField, TextField } from "#ui/formFields.tsx";
import { LookFields } from "./look.tsx";
import classes from "./units.module.css";

export interface EditorProps {
  /** Null for a new one. */
  readonly unit: Unit | null;
  onClose(): void;
}

/** Empty fields are texts here. */
type Values = Omit<UnitContent, "callsign" | "homePostal" | "radio"> &
  Record<"callsign" | "homePostal" | "radio", string> &
  Record<string, unknown>;

const fresh = (colour: string): Values => ({
  ...{ name: "", callsign: "", initials: "", colour, icon: null, homePostal: "", tags: [], roles: [] },
  ...{ minCrew: 1, maxCrew: 4, isStatic: false, radio: "" },
});

function valuesOf(unit: Unit): Values {
  const { name, callsign, initials, colour, icon, homePostal, tags, roles, minCrew, maxCrew, isStatic, radio } = unit;
  const texts = { callsign: callsign ?? "", homePostal: homePostal ?? "", radio: radio ?? "" };
  return { ...texts, name, initials, colour, icon, tags, roles, minCrew, maxCrew, isStatic };
}

const contentOf = ({ callsign, homePostal, radio, ...more }: Values): UnitContent => {
  return { ...more, callsign: callsign || null, homePostal: homePostal || null, radio: radio || null };
};

/** Creates or changes a unit of the own job. */
export default function Editor({ unit, onClose }: EditorProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const id = unit?.id ?? null;
  const job = useWorkedJob();
  const stored = useMemo(
    () => ({ version: unit?.version ?? 0, values: unit === null ? fresh(jobColour(job)) : valuesOf(unit) }),
    [unit, job],
  );
  const names = [
    "name",
    "callsign",
    "initials",
    "colour",
    "icon",
    "homePostal",
    "tags",
    "roles",
    "minCrew",
    "maxCrew",
    "isStatic",
    "radio",
  ];
  const form = useContractForm<Values>({
    contract,
    fields: Object.fromEntries(names.map((name) => [name, { label: t(`units.fields.${name}`) }])),
    stored,
    refusals: { "units.nameTaken": "name", "units.postalUnknown": "homePostal", "units.crewRange": "maxCrew" },
    async save(values, version) {
      if (id === null) await api.call(createUnit, { body: contentOf(values) });
      else await api.call(putUnit, { params: { id }, body: { ...contentOf(values), version } });
    },
    async read() {
      const now = (await api.call(listUnits)).items.find((one) => one.id === id);
      return now === undefined ? stored : { version: now.version, values: valuesOf(now) };
    },
    saved() {
      void queries.invalidateQueries({ queryKey: [listUnits.id] });
      onClose();
    },
  });
  return (
    <Dialog title={t(id === null ? "units.setup.unitsNew" : "units.setup.unitEdit")} onClose={() => form.model.leave(onClose)}>
      <Form form={form} className={classes["form"]}>
        <TextField at="name" autoFocus />
        <div className={classes["two"]}>
          <TextField at="callsign" />
          <TextField at="initials" />
          <TextField at="radio" />
          <TextField at="homePostal" />
        </div>
        <div className={classes["two"]}>
          <NumberField at="minCrew" description={t("units.fields.minCrewHint")} />
          <NumberField at="maxCrew" />
        </div>
        <TagsField at="tags" placeholder={t("units.fields.tagsHint")} />
        <TagsField at="roles" placeholder={t("units.fields.rolesHint")} />
        <SwitchField at="isStatic" description={t("units.fields.isStaticHint")} />
        <LookFields />
        <FormBar save={t("web.form.save")} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
