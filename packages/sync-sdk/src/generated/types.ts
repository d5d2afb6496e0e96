// Generated from the OpenAPI document by npm run generate. Do not edit.

/** Body of `accounts.sync`: Send accounts with their staff groups. */
export type AccountsSyncBody = {
  source?: string;
  /** A field that an item leaves out keeps its stored value; null erases it. Of an ID that is repeated, the last item wins field by field. */
  items: {
    licence: string;
    groups: string[];
    /** The game's identifier of the character played last */
    lastCharacterIdentifier?: string | null;
  }[];
};

/** Answer of `accounts.sync`: Send accounts with their staff groups. */
export type AccountsSyncOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Body of `accounts.syncToken`: Issue a registration or reset token for a licence. */
export type AccountsSyncTokenBody = {
  licence: string;
  kind: "register" | "reset";
};

/** Answer of `accounts.syncToken`: Issue a registration or reset token for a licence. */
export type AccountsSyncTokenOutput = {
  token: string;
  url: string;
  /** Milliseconds since 1970-01-01T00:00:00Z */
  expiresAt: number;
  accountId: number;
  username: string | null;
};

/** Body of `calls.sync`: Create a call for one or several jobs. */
export type CallsSyncBody = {
  source?: string;
  /** Who is called */
  jobs: string[];
  message: string;
  /** Code of an incident type of the first job */
  type?: string | null;
  /** 1 is the most urgent */
  priority?: number;
  x?: number | null;
  y?: number | null;
  /** The character who calls, as in `users` */
  identifier?: string | null;
  /** Who called is shown to nobody */
  anonymous?: boolean;
  phone?: string | null;
  answers?: {
    question: string;
    answer: string;
  }[];
};

/** Answer of `calls.sync`: Create a call for one or several jobs. */
export type CallsSyncOutput = {
  id: number | null;
  /** As people read it, such as `DSP-12`; null for an alert of a storm */
  ref: string | null;
  /** Others had called for the same a moment ago: it was added to their call */
  folded: boolean;
  /** Too many alerts came within a minute: it is kept, and dispatchers decide what becomes a call */
  storm: {
    id: number;
    /** As people read it, such as `STM-4` */
    ref: string;
  } | null;
};

/** Body of `calls.syncClose`: Complete the open calls of a character. */
export type CallsSyncCloseBody = {
  source?: string;
  /** The character, as in `users` */
  identifier: string;
};

/** Answer of `calls.syncClose`: Complete the open calls of a character. */
export type CallsSyncCloseOutput = {
  closed: number;
};

/** Body of `colleagues.sync`: Change the prefix, suffix or note of people in their jobs. */
export type ColleaguesSyncBody = {
  source?: string;
  /** A field that an item leaves out keeps its stored value; null erases it. Of an ID that is repeated, the last item wins field by field. */
  items: {
    /** The character's ID, as in `users` */
    identifier: string;
    /** A job that the character has */
    job: string;
    prefix?: string | null;
    suffix?: string | null;
    note?: string | null;
  }[];
};

/** Answer of `colleagues.sync`: Change the prefix, suffix or note of people in their jobs. */
export type ColleaguesSyncOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Answer of `colleagues.syncStaff`: The people of a job, page by page. */
export type ColleaguesSyncStaffOutput = {
  items: {
    identifier: string;
    name: string;
    prefix: string | null;
    suffix: string | null;
    grade: number;
    /** Milliseconds since 1970-01-01T00:00:00Z */
    since: number | null;
    labels: string[];
    duty: "on" | "missing" | "uncertain" | null;
  }[];
  next: string | null;
};

/** Body of `colleagues.syncActivities`: Report what happened to people in their jobs, by whom and why. */
export type ColleaguesSyncActivitiesBody = {
  source?: string;
  items: {
    /** Names this activity of the source; repeating it changes nothing */
    key: string;
    /** The character's ID, as in `users` */
    identifier: string;
    /** The job in which it happened */
    job: string;
    /** `hired`, `promoted`, `demoted`, `left`: who did what `users` says, and why; within 10 minutes of it, it is one activity. `remark`: anything else, which needs `text` */
    kind: "hired" | "promoted" | "demoted" | "left" | "remark";
    /** Why, or what a remark says */
    text?: string | null;
    /** The character who did it, as in `users` */
    by?: string | null;
  }[];
};

/** Answer of `colleagues.syncActivities`: Report what happened to people in their jobs, by whom and why. */
export type ColleaguesSyncActivitiesOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Body of `duty.sync`: Report who goes on and off duty, drops, and comes back. */
export type DutySyncBody = {
  source?: string;
  /** A name of this run of the game server. After a new one, people who are not named within 5 minutes go off duty at their last sign of life */
  boot?: string | null;
  /** May be empty: the source is still there */
  items: {
    /** The character's ID, as in `users` */
    identifier: string;
    /** `on` and `off` duty; `dropped`: the player left or crashed, and may come back; `loaded`: this character was chosen, so that others of its licence are off duty; `past`: a duty that has ended and was not reported */
    event: "on" | "off" | "dropped" | "loaded" | "past";
    /** Needed for `on` and `past`; `off` without one ends any duty */
    job?: string | null;
    /** Left out, the grade that the character has in the job */
    grade?: number;
    /** When it happened, in milliseconds since 1970; at most 5 minutes ahead, and at most 30 days ago */
    at: number;
    /** Of `past`: when the duty ended, in milliseconds since 1970 */
    endedAt?: number | null;
    /** Names this event; repeating it changes nothing */
    key: string;
  }[];
};

/** Answer of `duty.sync`: Report who goes on and off duty, drops, and comes back. */
export type DutySyncOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
  /** Of those accepted, events that came too late to change the present; check the clock of the game server */
  late: number;
};

/** Body of `jobs.sync`: Send jobs with their grades. */
export type JobsSyncBody = {
  source?: string;
  /** A field that an item leaves out keeps its stored value; null erases it. Of an ID that is repeated, the last item wins field by field. */
  items: {
    name: string;
    label: string;
    /** The whole list, each grade once: missing grades are removed. An empty list is rejected for a job that has grades; report the job as deleted first */
    grades: {
      grade: number;
      label: string;
    }[];
  }[];
};

/** Answer of `jobs.sync`: Send jobs with their grades. */
export type JobsSyncOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Body of `jobs.syncDelete`: Report deleted jobs. */
export type JobsSyncDeleteBody = {
  source?: string;
  names: string[];
};

/** Answer of `jobs.syncDelete`: Report deleted jobs. */
export type JobsSyncDeleteOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Body of `licences.sync`: Send licence types with their labels. */
export type LicencesSyncBody = {
  source?: string;
  /** A field that an item leaves out keeps its stored value; null erases it. Of an ID that is repeated, the last item wins field by field. */
  items: {
    type: string;
    label: string;
  }[];
};

/** Answer of `licences.sync`: Send licence types with their labels. */
export type LicencesSyncOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Body of `licences.syncDelete`: Report deleted licence types. */
export type LicencesSyncDeleteBody = {
  source?: string;
  types: string[];
};

/** Answer of `licences.syncDelete`: Report deleted licence types. */
export type LicencesSyncDeleteOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Parts of the path of `sync.manifest`: Reconcile deletions with the list of IDs that exist. */
export type SyncManifestParams = {
  kind: "jobs" | "licences" | "users" | "vehicles";
};

/** Body of `sync.manifest`: Reconcile deletions with the list of IDs that exist. */
export type SyncManifestBody = {
  source?: string;
  ids: string[];
  /** How many are to be removed; needed when it is more than a tenth */
  confirm?: number;
};

/** Answer of `sync.manifest`: Reconcile deletions with the list of IDs that exist. */
export type SyncManifestOutput = {
  removed: number;
  missingHere: string[];
  missingHereTotal: number;
};

/** Body of `panic.sync`: A character on duty pressed the panic button. */
export type PanicSyncBody = {
  source?: string;
  /** The character, as in `users` */
  identifier: string;
  x?: number | null;
  y?: number | null;
};

/** Answer of `panic.sync`: A character on duty pressed the panic button. */
export type PanicSyncOutput = {
  id: number;
  /** Of its call, as people read it, such as `DSP-12` */
  ref: string;
  /** 1 for a new one */
  presses: number;
  /** Milliseconds since 1970-01-01T00:00:00Z */
  cancelUntil: number;
};

/** Body of `panic.syncCancel`: A character cancels their panic, in the first seconds. */
export type PanicSyncCancelBody = {
  source?: string;
  /** The character, as in `users` */
  identifier: string;
};

/** Answer of `panic.syncCancel`: A character cancels their panic, in the first seconds. */
export type PanicSyncCancelOutput = {
  /** False where none was active */
  cancelled: boolean;
};

/** Body of `positions.sync`: Report where characters are. */
export type PositionsSyncBody = {
  source?: string;
  /** A name of this run of the game server. After a new one, people who are not named within 5 minutes go off duty at their last sign of life */
  boot?: string | null;
  /** When they were taken, in milliseconds since 1970, by a clock of the source that never goes back within one boot; positions that are older than those known are ignored, and of those of one instant the one that arrives later counts. Left out: in the order in which calls arrive */
  at?: number;
  /** Characters of this source that are not among the items are nowhere any more */
  clear?: boolean;
  items: {
    /** The character's ID, as in `users` */
    identifier: string;
    /** Needed unless `remove` is set */
    x?: number;
    y?: number;
    z?: number | null;
    /** Degrees, anticlockwise from north */
    heading?: number | null;
    /** Metres per second */
    speed?: number | null;
    /** Plate of the vehicle that the character is in */
    vehicle?: string | null;
    /** For game servers that do not report duty */
    job?: string | null;
    /** Shown to nobody; still a sign of life */
    hidden?: boolean;
    /** The character is nowhere any more */
    remove?: boolean;
  }[];
};

/** Answer of `positions.sync`: Report where characters are. */
export type PositionsSyncOutput = {
  /** Positions taken */
  accepted: number;
  /** Positions that were older than those known */
  ignored: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Answer of `gamerequests.poll`: Requests to the game server, as soon as there are any. */
export type GamerequestsPollOutput = {
  requests: {
    id: string;
    /** Its place in the order; rises from request to request */
    position: number;
    /** What to do */
    kind: string;
    payload: Record<string, unknown>;
    /** Milliseconds since 1970-01-01T00:00:00Z */
    sentAt: number;
    /** Milliseconds from this answer; must not begin later */
    expiresInMs: number;
  }[];
  /** Changes when positions are no longer valid, for example after a restore */
  epoch: string;
  /** State it as `after` in the next call */
  position: number;
  /** The given position was of another epoch: `requests` begins with the first open one */
  reset: boolean;
};

/** Body of `gamerequests.receipts`: Report what became of requests to the game server. */
export type GamerequestsReceiptsBody = {
  source?: string;
  receipts: {
    id: string;
    /** `unknown`: it began, and what became of it is not known, for example after a crash */
    outcome: "done" | "refused" | "unknown";
    answer?: Record<string, unknown>;
    /** Why it was refused or is unknown; shown to people */
    reason?: string;
  }[];
};

/** Answer of `gamerequests.receipts`: Report what became of requests to the game server. */
export type GamerequestsReceiptsOutput = {
  /** Receipts that ended a request, or said what became of one */
  accepted: number;
  /** Receipts of requests that had ended this way, or otherwise, before */
  unchanged: number;
  /** IDs that are not known, or were delivered to another source: nothing more can be done about them */
  missing: string[];
};

/** Answer of `sync.status`: Counts, last data per kind and source, limits and versions. */
export type SyncStatusOutput = {
  /** Version of the program */
  version: string;
  api: "v1";
  limits: {
    batchItems: number;
    bodyBytes: number;
    manifestIds: number;
    /** Most items in one call by what it carries, such as `positions`; for everything else `batchItems` */
    items: {
      kind: string;
      items: number;
    }[];
  };
  kinds: {
    kind: "jobs" | "licences" | "users" | "accounts" | "duty" | "vehicles";
    count: number;
    sources: {
      source: string;
      /** Milliseconds since 1970-01-01T00:00:00Z */
      lastDataAt: number;
      clientVersion: string | null;
    }[];
  }[];
};

/** Body of `citizens.sync`: Send characters with jobs, licences and phone numbers. */
export type CitizensSyncBody = {
  source?: string;
  /** A field that an item leaves out keeps its stored value; null erases it. Of an ID that is repeated, the last item wins field by field. */
  items: {
    identifier: string;
    /** Of the owning account; null, or left out for a new character: the part of `identifier` behind the first colon */
    licence?: string | null;
    firstName: string;
    lastName: string;
    /** YYYY-MM-DD, DD.MM.YYYY or DD/MM/YYYY. A day that is in no calendar, such as 1990-02-31, is rejected; 0000-00-00 is none, and another text is shown as it is */
    dateOfBirth?: string | null;
    sex?: string | null;
    height?: number | null;
    /** The whole list; the first one is primary unless another says so */
    jobs: {
      name: string;
      grade: number;
      primary?: boolean;
    }[];
    /** The whole list; null erases like an empty one */
    phoneNumbers?:
      | {
          number: string;
          primary?: boolean;
        }[]
      | null;
    /** The whole list; null erases like an empty one */
    licences?: string[] | null;
    visum?: number | null;
    /** Seconds */
    playtime?: number | null;
  }[];
};

/** Answer of `citizens.sync`: Send characters with jobs, licences and phone numbers. */
export type CitizensSyncOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Body of `citizens.syncDelete`: Report deleted characters. */
export type CitizensSyncDeleteBody = {
  source?: string;
  identifiers: string[];
};

/** Answer of `citizens.syncDelete`: Report deleted characters. */
export type CitizensSyncDeleteOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Body of `vehicles.sync`: Send vehicles. */
export type VehiclesSyncBody = {
  source?: string;
  /** A field that an item leaves out keeps its stored value; null erases it. Of an ID that is repeated, the last item wins field by field. */
  items: {
    plate: string;
    model?: string | null;
    type?: string | null;
    ownerIdentifier?: string | null;
    job?: string | null;
  }[];
};

/** Answer of `vehicles.sync`: Send vehicles. */
export type VehiclesSyncOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Body of `vehicles.syncDelete`: Report deleted vehicles. */
export type VehiclesSyncDeleteBody = {
  source?: string;
  plates: string[];
};

/** Answer of `vehicles.syncDelete`: Report deleted vehicles. */
export type VehiclesSyncDeleteOutput = {
  /** Items that changed something */
  accepted: number;
  /** Items equal to what was stored, and items that a later one of their ID replaced */
  unchanged: number;
  rejected: {
    /** Position in `items` */
    index: number;
    id: string | null;
    code: string;
    message: string;
  }[];
};

/** Sends batches; `Result` says what became of one. */
export interface BatchMethods<Result> {
  /** Send accounts with their staff groups. */
  accounts(items: Readonly<AccountsSyncBody["items"]>): Promise<Result>;
  /** Report who goes on and off duty, drops, and comes back. */
  duty(items: Readonly<DutySyncBody["items"]>): Promise<Result>;
  /** Send jobs with their grades. */
  jobs(items: Readonly<JobsSyncBody["items"]>): Promise<Result>;
  /** Report deleted jobs. */
  deleteJobs(names: Readonly<JobsSyncDeleteBody["names"]>): Promise<Result>;
  /** Send licence types with their labels. */
  licences(items: Readonly<LicencesSyncBody["items"]>): Promise<Result>;
  /** Report deleted licence types. */
  deleteLicences(types: Readonly<LicencesSyncDeleteBody["types"]>): Promise<Result>;
  /** Send characters with jobs, licences and phone numbers. */
  users(items: Readonly<CitizensSyncBody["items"]>): Promise<Result>;
  /** Report deleted characters. */
  deleteUsers(identifiers: Readonly<CitizensSyncDeleteBody["identifiers"]>): Promise<Result>;
  /** Send vehicles. */
  vehicles(items: Readonly<VehiclesSyncBody["items"]>): Promise<Result>;
  /** Report deleted vehicles. */
  deleteVehicles(plates: Readonly<VehiclesSyncDeleteBody["plates"]>): Promise<Result>;
}

/** Requests of Rollcall to the plugin on the game server, by their kind: what the plugin gets and what it answers. */
export type GameRequests = {
  /** Send this character with everything you know of it (`users`), or report that it is deleted (`deleteUsers`) */
  "citizens.resync": {
    payload: {
      /** The character's ID, as the game server sent it */
      identifier: string;
    };
    answer: Record<string, never>;
  };
  /** Set the waypoint on this player's map, in place of the one before; refuse when the character is not in the game */
  "ingame.waypoint": {
    payload: {
      /** The character's ID, as in `users` */
      identifier: string;
      x: number;
      y: number;
      /** What is there, for a message to the player; may be empty */
      label: string;
    };
    answer: Record<string, never>;
  };
  /** Show this player a short text for some seconds, in the language of the player's game; refuse when the character is not in the game */
  "ingame.toast": {
    payload: {
      /** The character's ID, as in `users` */
      identifier: string;
      /** How it looks */
      tone: "info" | "success" | "warning" | "danger";
      title: {
        en: string;
        de: string;
      };
      text: {
        en: string;
        de: string;
      };
      /** How many before this one were not sent, because there were too many at once or they came too late: worth a line when not 0 */
      missed: number;
    };
    answer: Record<string, never>;
  };
  /** Give the character this grade in the job, or take the job away. Refuse it when the character does not stand in the job as `expectedGrade` says, or cannot be changed now */
  "colleagues.job": {
    payload: {
      /** The character's ID, as the game server sent it */
      identifier: string;
      job: string;
      /** As Rollcall last knew it; null for not in the job */
      expectedGrade: number | null;
      /** The new one; null to dismiss */
      grade: number | null;
      reason: string;
      /** Name of the character who asks */
      by: string;
    };
    answer: Record<string, never>;
  };
};

export const gameRequestKinds = ["citizens.resync", "ingame.waypoint", "ingame.toast", "colleagues.job"] as const;

/** The operations of the Sync API; `maxItems` is the largest batch of the release that this client was made with. */
export const operations = {
  "accounts.sync": {
    method: "POST",
    path: "/api/sync/v1/accounts",
    list: "items",
    maxItems: 500,
    entity: "accounts",
    field: "licence",
    call: "accounts",
  },
  "accounts.syncToken": {
    method: "POST",
    path: "/api/sync/v1/accounts/tokens",
  },
  "calls.sync": {
    method: "POST",
    path: "/api/sync/v1/calls",
    list: "jobs",
    maxItems: 8,
  },
  "calls.syncClose": {
    method: "POST",
    path: "/api/sync/v1/calls/close",
  },
  "colleagues.sync": {
    method: "POST",
    path: "/api/sync/v1/colleagues",
    list: "items",
    maxItems: 500,
  },
  "colleagues.syncStaff": {
    method: "GET",
    path: "/api/sync/v1/colleagues",
  },
  "colleagues.syncActivities": {
    method: "POST",
    path: "/api/sync/v1/colleagues/activities",
    list: "items",
    maxItems: 500,
  },
  "duty.sync": {
    method: "POST",
    path: "/api/sync/v1/duty",
    list: "items",
    maxItems: 500,
    entity: "duty",
    field: "key",
    call: "duty",
  },
  "jobs.sync": {
    method: "POST",
    path: "/api/sync/v1/jobs",
    list: "items",
    maxItems: 500,
    entity: "jobs",
    field: "name",
    call: "jobs",
  },
  "jobs.syncDelete": {
    method: "POST",
    path: "/api/sync/v1/jobs/delete",
    list: "names",
    maxItems: 500,
    entity: "jobs",
    field: null,
    call: "deleteJobs",
  },
  "licences.sync": {
    method: "POST",
    path: "/api/sync/v1/licences",
    list: "items",
    maxItems: 500,
    entity: "licences",
    field: "type",
    call: "licences",
  },
  "licences.syncDelete": {
    method: "POST",
    path: "/api/sync/v1/licences/delete",
    list: "types",
    maxItems: 500,
    entity: "licences",
    field: null,
    call: "deleteLicences",
  },
  "sync.manifest": {
    method: "POST",
    path: "/api/sync/v1/manifest/{kind}",
    list: "ids",
    maxItems: 500000,
  },
  "panic.sync": {
    method: "POST",
    path: "/api/sync/v1/panic",
  },
  "panic.syncCancel": {
    method: "POST",
    path: "/api/sync/v1/panic/cancel",
  },
  "positions.sync": {
    method: "POST",
    path: "/api/sync/v1/positions",
    list: "items",
    maxItems: 2000,
  },
  "gamerequests.poll": {
    method: "GET",
    path: "/api/sync/v1/requests",
  },
  "gamerequests.receipts": {
    method: "POST",
    path: "/api/sync/v1/requests/receipts",
    list: "receipts",
    maxItems: 100,
  },
  "sync.status": {
    method: "GET",
    path: "/api/sync/v1/status",
  },
  "citizens.sync": {
    method: "POST",
    path: "/api/sync/v1/users",
    list: "items",
    maxItems: 500,
    entity: "users",
    field: "identifier",
    call: "users",
  },
  "citizens.syncDelete": {
    method: "POST",
    path: "/api/sync/v1/users/delete",
    list: "identifiers",
    maxItems: 500,
    entity: "users",
    field: null,
    call: "deleteUsers",
  },
  "vehicles.sync": {
    method: "POST",
    path: "/api/sync/v1/vehicles",
    list: "items",
    maxItems: 500,
    entity: "vehicles",
    field: "plate",
    call: "vehicles",
  },
  "vehicles.syncDelete": {
    method: "POST",
    path: "/api/sync/v1/vehicles/delete",
    list: "plates",
    maxItems: 500,
    entity: "vehicles",
    field: null,
    call: "deleteVehicles",
  },
} as const;
