/** The tables' types for Kysely. Ids are text, so that an id that is not a UUID is not found, instead of a database error. */

import type { ColumnType, Generated } from 'kysely';

/** A wire object: parsed when read, JSON text when written. */
type Json<T> = ColumnType<T, string, string>;
type Row = Json<Readonly<Record<string, unknown>>>;
type Version = ColumnType<string, number, number>;

/** A company's objects of one kind: the wire object, and columns for keys, filters and the company. */
export interface ResourceTable {
  id: string;
  company_id: string;
  name: string;
  is_delete: boolean;
  created: ColumnType<Date, Date, never>;
  /** The company's version at the last write. */
  version: Version;
  /** Order of insertion. */
  ordinal: Generated<string>;
  row: Row;
}

export interface GeozoneTable extends ResourceTable {
  /** The company that shares this copy and may change it; null for a zone of the company itself. */
  owner_id: string | null;
  /** `HeadCells` as JSON. */
  head: ColumnType<string, never, never>;
}

export const RESOURCES = ['geozones', 'geozone_groups', 'custom_geozone_types', 'routes', 'trips'] as const;
export type ResourceName = (typeof RESOURCES)[number];

export interface CompanyTable {
  id: string;
  name: string;
  time_zone: string;
  zones_version: Version;
  /** The earliest version whose zones are kept. */
  zones_from: ColumnType<string, number | undefined, number>;
  /** `track_gradation`, `monitoring_sensors_settings`. */
  properties: Row;
}

export interface ApiKeyTable {
  /** SHA-256 of the key, hexadecimal. The key itself is not stored. */
  key_hash: string;
  company_id: string;
  user_id: string;
  role: string;
  id: Generated<string>;
  /** Further companies in which the key has the same role. */
  companies: ColumnType<readonly string[], string | undefined, string>;
  /** Epoch milliseconds; null for ever. */
  expires: ColumnType<string | null, number | null | undefined, number | null>;
  created: ColumnType<string, number | undefined, number>;
}

/** A user who has called `/me`. */
export interface UserTable {
  /** `ownerOf` of the caller. */
  id: string;
  /** The company, the role and the number of companies that the user's last token stated; null after an API key. */
  company_id: string | null;
  role: string | null;
  companies: number | null;
  /** The fields that `PUT /me` has set. */
  row: ColumnType<Readonly<Record<string, unknown>>, string | undefined, string>;
}

export interface UserSettingTable {
  id: Generated<string>;
  user_id: string;
  /** null for a setting of the user alone. */
  company_id: string | null;
  key: string;
  value: string;
  version: number;
}

/** The company that a token or key has switched to. */
export interface SwitchedCompanyTable {
  credential_hash: string;
  company_id: string;
  /** Epoch milliseconds; null for ever. */
  expires: ColumnType<string | null, number | null, number | null>;
}

export interface HistoryEntryTable {
  /** Order of insertion. */
  ordinal: Generated<string>;
  company_id: string;
  created: Long;
  user_id: string;
  user_name: string;
  user_email: string;
  objects: string;
  operation: string;
  object_id: string;
  msg: string;
  /** Names of the changed fields. */
  fields: Json<readonly string[]>;
  before: ColumnType<object | null, string | null | undefined, never>;
  after: ColumnType<object | null, string | null | undefined, never>;
}

export interface WorkTypeTable {
  company_id: string;
  name: string;
  ordinal: Generated<string>;
}

export interface UnitTable {
  id: string;
  company_id: string;
  name: string;
  device_key: string;
  /** Whether the unit was the first one with its key, of all companies. */
  owns_key: ColumnType<boolean, boolean | undefined, boolean>;
  /** Values of the trip detector's fields by key. */
  settings: Row;
  is_delete: Generated<boolean>;
  /** The other fields of the wire. */
  row: ColumnType<Readonly<Record<string, unknown>>, string | undefined, string>;
}

type Long = ColumnType<string, number, number>;

export interface FixTable {
  unit_id: string;
  time: Long;
  lon: number;
  lat: number;
  /** Whether a track may contain the fix. False for `valid: false`, and at exactly 0, 0. */
  is_usable: boolean;
  accuracy: number | null;
  /** The other fields as JSON. */
  more: string | null;
}

/** The state of a unit's trackers after message `seq` of its cell. */
export interface UnitStateTable {
  unit_id: string;
  company_id: string;
  cell: number;
  seq: Long;
  state: string;
}

/** The settings that are fixed at the first start, one row. */
export interface StreamSettingsTable {
  id: number;
  lateness_seconds: number;
}

export interface WorkerTable {
  id: string;
  seen: Date;
}

/** Some units of a company with an order of arrival of their own: those of the part `residue` of `modulus` parts. */
export interface CellTable {
  cell: Generated<number>;
  company_id: string;
  /** The last message. */
  head: ColumnType<string, number | undefined, number>;
  modulus: number;
  residue: number;
  /** The cell that was divided. */
  parent: number | null;
  /** The last message of a closed cell; null: the cell is open. */
  last: ColumnType<string | null, number | null | undefined, number>;
}

/** The version of zones and trips that a cell applies after `seq`. */
export interface CellZonesTable {
  cell: number;
  company_id: string;
  seq: Long;
  version: Version;
}

/** A unit that is set aside since message `seq`, or lost another message later; or a message that names no unit. */
export interface SetAsideTable {
  cell: number;
  seq: Long;
  /** Empty: the message names no unit. */
  unit_id: string;
  company_id: string | null;
  reason: string;
  /** The unit's part of the message, which history does not hold; or the message that names no unit. */
  payload: Uint8Array;
  /** The unit's earliest fix that its stored state may lack, epoch milliseconds. */
  from_time: ColumnType<string | null, number | null, number>;
  /** An operator's decision about a message that names no unit; null while it waits. */
  resolved: ColumnType<'retried' | 'skipped' | null, never, 'retried' | 'skipped'>;
}

/** Earlier zones or trips, each valid from `version` until before `until`. */
export interface HistoryTable {
  id: string;
  company_id: string;
  version: Version;
  until: Version;
  ordinal: string;
  row: Row;
}

/** The last number of each company's events. */
export interface EventNumberTable {
  company_id: string;
  last: Long;
}

export interface EventTable {
  company_id: string;
  /** Below 10,000: a partition of an earlier version. */
  cell: number;
  /** The message that caused the event, and the event's number within it: 0, 1, … */
  seq: Long;
  ordinal: number;
  unit_id: string;
  time: Long;
  event: Row;
  /** Ascending with the commits of the company, with a gap after a start of the server. */
  number: Long;
}

export interface UsedLinkTable {
  /** Of the link's token. */
  hash: string;
  /** Epoch milliseconds. */
  expires: Long;
}

export interface TicketTable {
  /** SHA-256 of the ticket, hexadecimal. */
  hash: string;
  access: Json<unknown>;
  expires: ColumnType<string, number, number>;
}

export interface LocatorTable {
  id: string;
  company_id: string;
  unit_id: string;
  expires: ColumnType<string, number, number>;
}

export interface PictureTable {
  id: string;
  company_id: string;
  size: 'original' | 'small';
  media_type: string;
  width: number;
  height: number;
  bytes: ColumnType<Uint8Array, Uint8Array, Uint8Array>;
}

/** Files of zones that were written from this database (`jobs/zoneFile.ts`). */
export interface ZoneSnapshotTable {
  token: string;
  company_id: string;
  /** The company's version that the file holds. */
  version: Version;
}

/** A sink of a company's events. */
export interface EventSinkTable {
  id: string;
  company_id: string;
  name: string;
  kind: string;
  target: Row;
  /** The key that signs the bodies of webhooks. */
  secret: string;
  /** Types of events that are sent; null: all; `[]`: only notifications. */
  types: ColumnType<readonly string[] | null, string | null, string | null>;
  is_enabled: boolean;
  /** The text of a cursor: events up to it have their deliveries. */
  cursor: string;
  created: Long;
}

export interface NotificationRuleTable {
  id: string;
  company_id: string;
  is_enabled: boolean;
  row: Row;
  created: Long;
}

export interface RuleCursorTable {
  company_id: string;
  cursor: string;
}

export interface OpenVisitTable {
  company_id: string;
  unit_id: string;
  zone_id: string;
  enter: Long;
}

export interface RuleNoticeTable {
  rule_id: string;
  key: string;
  created: Long;
}

/** An event that a sink has not taken yet, or that it refused too often (`is_dead`). */
export interface DeliveryTable {
  /** Order within a unit. */
  ordinal: Generated<string>;
  sink_id: string;
  event_id: string;
  unit_id: string;
  payload: Row;
  created: Long;
  /** When it is sent next, epoch milliseconds. */
  due: Long;
  attempts: Generated<number>;
  is_dead: Generated<boolean>;
  error: ColumnType<string | null, string | null | undefined, string | null>;
}

export type Tables = Record<Exclude<ResourceName, 'geozones'>, ResourceTable> & {
  geozones: GeozoneTable;
  change_history: HistoryEntryTable;
  work_types: WorkTypeTable;
  companies: CompanyTable;
  api_keys: ApiKeyTable;
  units: UnitTable;
  fixes: FixTable;
  unit_states: UnitStateTable;
  stream_settings: StreamSettingsTable;
  cell_workers: WorkerTable;
  cells: CellTable;
  cell_zones: CellZonesTable;
  set_aside: SetAsideTable;
  geozones_history: HistoryTable;
  trips_history: HistoryTable;
  events: EventTable;
  event_numbers: EventNumberTable;
  tickets: TicketTable;
  used_links: UsedLinkTable;
  locators: LocatorTable;
  pictures: PictureTable;
  zone_snapshots: ZoneSnapshotTable;
  event_sinks: EventSinkTable;
  notification_rules: NotificationRuleTable;
  rule_cursors: RuleCursorTable;
  open_visits: OpenVisitTable;
  rule_notices: RuleNoticeTable;
  deliveries: DeliveryTable;
  users: UserTable;
  user_settings: UserSettingTable;
  switched_companies: SwitchedCompanyTable;
};
