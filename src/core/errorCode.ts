/**
 * Codes of errors, field errors and issues, and reasons to leave a fix out: the list from which `docs/errors.md` is written.
 *
 * Each member's comment says when it occurs and, after `|`, what to do. A comment `// …` begins a group.
 */

/**
 * Further codes for `WayzoneError`, given as field names: a server or program adds its own by declaration merging.
 *
 * @example
 * ```ts
 * declare module 'wayzone' {
 *   interface OwnErrorCodes {
 *     'rate-limit': true;
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: a place for the codes of others.
export interface OwnErrorCodes {}

/** A code of a `WayzoneError`. */
export type ErrorCode =
  // oxlint-disable-next-line typescript/no-redundant-type-constituents -- It is `never` only until a program adds codes.
  | keyof OwnErrorCodes
  // Positions and numbers
  /** A value is not a position, a list of positions, or a number of degrees. | Give pairs of numbers, `[lon, lat]`. */
  | 'coord-type'
  /** A coordinate is NaN or infinite. | Leave the position out, or correct its source. */
  | 'coord-not-finite'
  /** A latitude is outside -90 to 90. | Check the order of the pair: it is `[lon, lat]` unless `axisOrder` says otherwise. */
  | 'lat-range'
  /** A longitude is outside -540 to 540. | Check the unit: projected metres need the option `crs` of a reader. */
  | 'lon-range'
  /** A box is not four finite numbers, or a number is out of range, or south is above north. | Give `[west, south, east, north]` in degrees. */
  | 'bbox-invalid'
  /** An azimuth is not a number from -360 to 360. | Give degrees clockwise from north. */
  | 'azimuth-range'
  /** A distance is not a number from 0 to 40,075,017. | Give metres, at most once around the Earth. */
  | 'distance-range'
  /** Options, or an option that holds an object or a function, are of another type. | Pass the type that the message names. */
  | 'option-type'
  /** An object of options has a name that the function does not know. | Correct its spelling; the message names the nearest option. */
  | 'option-unknown'
  /** An option has a value that it does not allow. | Pass one of the values that the message names. */
  | 'option-value'
  /** A getter or a proxy of the input throws when it is read. | Pass plain objects; `cause` holds the error that was thrown. */
  | 'input-unreadable'
  // Shapes
  /** A value is not a shape, or its `type.key` is not `point`, `circle`, `line` or `polygon`. | Set `type.key` to one of the four. */
  | 'zone-type'
  /** A geometry has the wrong number of pairs for its type. | Give one pair for a point or a circle, at least one for a line. */
  | 'geometry-count'
  /** A ring has fewer than three different vertices, or a list of parts or rings is empty. | Add the missing vertices, or leave the part out. */
  | 'ring-too-short'
  /** All vertices of a ring lie on one straight line or one parallel. | Correct the ring; a narrow strip is a `line` with a width. */
  | 'ring-zero-area'
  /** A line has no position, or all its positions are the same. | Add positions, or store a `point`. */
  | 'line-too-short'
  /** An edge spans exactly 180° of longitude, so that it could go either way round. | Add a vertex between its ends. */
  | 'edge-ambiguous'
  /** A hole is not inside its shell: it leaves it, or is larger. | Correct the hole, or make it a part of its own. */
  | 'hole-outside'
  /** The radius of a circle or point is negative, not finite, more than half around the Earth, or, of a circle, less than 1 mm. | Give metres, or store a `point`. */
  | 'radius-range'
  /** The width of a line is not above 0 and up to 2,000,000 m, or a width is not a number of metres from 0. | Give metres; see `lineWidth` for whether it counts each side. */
  | 'width-range'
  /** A circle or a line has no width. | Set `width`, or pass `defaultWidthMeters` (`--width` on the command line). */
  | 'width-missing'
  /** A zone or line has more than 1,000,000 vertices, a file more than `limits.maxVertices`, or a corridor would take too many. | Simplify the line, or raise the limit of the file. */
  | 'limit-vertices'
  /** A corridor did not pass the check of its own boundary, made in either way. It is a fault of wayzone. | Report the line and its width; draw it by other means. */
  | 'corridor-uncertified'
  /** The rings of a polygon cross so often that its outline would take too many steps. | Draw the polygon anew without crossings. */
  | 'limit-crossings'
  /** A zone has more than 50,000 rings. | Split the zone. */
  | 'limit-rings'
  /** A zone without an extent has no outline: a point without a width, or a circle of radius 0. | Give it a width, or skip it. */
  | 'outline-empty'
  /** `toleranceMeters` is out of its range. | Give a number of metres from 0.0001. */
  | 'tolerance-range'
  // Validation
  /** An input has field errors. | Read `errors`: each has the path of a field and a reason of this page. */
  | 'validation'
  /** A key is not in the dictionary of its field (type, color, icon, activation, order of passage). | Use a key that `listDictionaries` gives, or pass your own entries in the option `dictionaries`. */
  | 'dictionary-key'
  // completeGeozone
  /** The input is not an object. | Pass one geozone. */
  | 'geozone-type'
  /** The sent `area` differs from that of the geometry by more than 1 %. | Nothing: wayzone uses the value that it computes. The sender has an old copy. */
  | 'area-differs'
  /** The sent `perimeter` differs from that of the geometry by more than 1 %. | Nothing: wayzone uses the value that it computes. The sender has an old copy. */
  | 'perimeter-differs'
  /** The sent `polygon_geometry` is not a ring, its area differs from the corridor's by more than 1 %, or the zone is not a line. | Nothing: wayzone uses the value that it computes. The sender has an old copy. */
  | 'polygon-differs'
  // Index
  /** An id is not a text (in a file: neither text nor a number). | Give every row an `id` that is a string. */
  | 'id-type'
  /** An id has more than 65,536 characters. | Use a shorter id. */
  | 'id-length'
  /** Two zones or two units share an id. | Make ids unique; readers of files rename the second zone and warn. */
  | 'duplicate-id'
  /** `fromBuffer` received a value that is not an `ArrayBuffer`, a `SharedArrayBuffer` or a view of one. | Pass the bytes, such as the `Buffer` of `readFile`. */
  | 'buffer-type'
  /** A buffer was not written by `ZoneIndex.toBuffer`. | Check which file was opened. */
  | 'buffer-foreign'
  /** A buffer was written by a version of wayzone with another format. | Build the index again and write a new buffer. */
  | 'buffer-version'
  /** A buffer was written on a machine of the other byte order. | Build the index again on this machine. */
  | 'buffer-byte-order'
  /** A buffer is shorter or longer than its header says. | Copy the file again; the transfer was not complete. */
  | 'buffer-truncated'
  /** The checksum or a table of a buffer is wrong. | Copy the file again, or build the index again. */
  | 'buffer-damaged'
  /** A row to be written to a buffer cannot be JSON. | Remove circular references and BigInts from the row; `cause` has the reason. */
  | 'buffer-row'
  /** The rows of an index need more than 4 GB in a buffer. | Keep the rows elsewhere and index ids and shapes only. */
  | 'buffer-limit'
  // Worker threads
  /** The option `signal` was aborted. | Nothing, if you aborted it; `cause` holds the reason of the signal. */
  | 'aborted'
  /** A worker thread ended without an answer. | Read the message; pass fewer `workers` if memory ran out. */
  | 'worker-failed'
  /** The units of a replay are not iterable. | Pass an array or a (possibly asynchronous) generator of units. */
  | 'units-type'
  /** One unit has more fixes than `maxFixes`. | Raise the option, or replay a shorter period. */
  | 'limit-fixes'
  // Tracks
  /** An argument is not an index of zones. | Pass `new ZoneIndex(zones)`, made once and used for all calls. */
  | 'index-type'
  /** A tile is not an object with the numbers `z`, `x` and `y`. | Pass `{z, x, y}`. */
  | 'tile-type'
  /** A number of a tile is not whole, or there is no such tile: `z` is 0 to 24, `x` and `y` 0 to 2^z - 1. | Check the order of the numbers: most addresses of tiles are z/x/y. */
  | 'tile-range'
  /** Fixes are not iterable, or one of a track to be written is not an object. | Pass an array or generator of fixes. */
  | 'fixes-type'
  /** A value is not a track of `readTrack`: its columns differ in length, or its times do not increase. | Pass what `readTrack` returns. */
  | 'track-invalid'
  /** A span is not two whole epoch milliseconds in order. | Give `from` and `to` as epoch milliseconds, `from` not after `to`. */
  | 'span-invalid'
  /** Spans are not an array. | Pass a list of visits, runs or `{zoneId, from, to}`. */
  | 'spans-type'
  /** A value is not a meter of `meterTrack`. | Pass what `meterTrack` returns. */
  | 'meter-invalid'
  /** A value is not a route of `prepareRoute`. | Pass what `prepareRoute` returns. */
  | 'route-type'
  /** A snapshot was written by a version of wayzone with another format. | Start a new tracker and push the recent fixes. */
  | 'state-version'
  /** A snapshot is not what the tracker wrote. | Restore an older snapshot, or start a new tracker. */
  | 'state-corrupt'
  /** A snapshot was made under other options. | Make the tracker with the options that the message names. */
  | 'state-options'
  /** A message of `unitOperator` has another form, or its state belongs to another unit. | Set the unit aside with the message, and correct its sender. */
  | 'unit-message'
  /** A snapshot has a unit that the tracker already follows. | Restore it before the first fix of that unit. */
  | 'unit-known'
  /** The id of a unit is not a text. | Pass a string. */
  | 'unit-id'
  /** More units than `maxUnits` would be followed. | Raise the option, or `forget` units that are gone. */
  | 'limit-units'
  /** Settings of movement are not an object or a list of `{key, value}`. | Pass the settings of the platform as they are. */
  | 'settings-type'
  /** A setting of movement has a value that it does not allow, or occurs twice. | Pass the value that the message names. */
  | 'setting-value'
  /** A gradation lacks styles, a colour is not `#rrggbb`, limits do not increase, or the last one is not null. | Sort the styles by `max`, and set the last one to null. */
  | 'gradation-invalid'
  // Reading and writing files
  /** The input of a reader is neither text nor bytes. | Pass a string or a `Uint8Array`; a stream gives `Uint8Array` chunks. */
  | 'input-type'
  /** The source of a reader or writer is not iterable, or an item of it is neither a zone nor a section. | Pass an array, a generator or a stream. */
  | 'source-type'
  /** A text is not JSON. | Correct the text at the offset and line that the message names. */
  | 'json-syntax'
  /** A value cannot be JSON: a function, a symbol or a BigInt. | Remove it from `properties`. */
  | 'json-value'
  /** A zone to be written contains itself. | Remove the circular reference. */
  | 'cycle'
  /** A member of GeoJSON has the wrong type, or a `type` is unknown. | Correct the member at the field. */
  | 'geojson-type'
  /** Coordinates of GeoJSON are nested too deep, not deep enough, or a position has fewer than two numbers. | Nest them as the geometry's type needs. */
  | 'geojson-nesting'
  /** A file names a coordinate system that the reader does not support. | Load it with `loadCrs` and pass it as `crs`. KML and GPX are always WGS84. */
  | 'crs-unsupported'
  /** The option `crs` is the name of a coordinate system that is not loaded. | Pass `await loadCrs(name)`. */
  | 'crs-not-loaded'
  /** A position is outside the domain of the coordinate system. | Check that the file is in that system. */
  | 'crs-range'
  /** A file is not well-formed XML. | Correct the file at the line. */
  | 'xml-malformed'
  /** An XML file ends too early. | Copy the file again; the content before the end is returned. */
  | 'xml-truncated'
  /** An XML file has a DOCTYPE, which could define entities without end. | Remove the declaration from the file. */
  | 'xml-dtd-forbidden'
  /** Coordinates of KML are empty or not `lon,lat[,altitude]` tuples. | Correct the element. */
  | 'kml-coordinates'
  /** A fix to be written to KML has a field besides time, position, altitude and course. | Leave the field out, or write GPX or CSV, which have more fields. */
  | 'kml-fix'
  /** A zone to be written to GPX is a line or polygon. | Write points and circles only, or choose another format. */
  | 'gpx-zone'
  /** A KMZ file is not a valid ZIP file. | Copy the file again. */
  | 'kmz-corrupt'
  /** A KMZ file has no entry that ends in `.kml`. | Check which file was opened. */
  | 'kmz-no-kml'
  /** A KMZ file is encrypted, split, ZIP64, or compressed by another method than deflate. | Pack it again as a plain ZIP file. */
  | 'kmz-unsupported'
  /** A workbook contradicts itself, or lacks a part. | Save the table again as XLSX. */
  | 'xlsx-corrupt'
  /** A workbook is encrypted, or uses ZIP64 or a method other than deflate. | Save it without a password, or as CSV. */
  | 'xlsx-unsupported'
  /** A Parquet file is damaged. | Copy the file again; the rows before the damage are returned. */
  | 'parquet-invalid'
  /** A Parquet file has an unknown compression, a nested column, or no column of geometries. | Write it again with plain columns, or name the columns. */
  | 'parquet-unsupported'
  /** A geometry is not well-known binary (WKB). | Correct the program that wrote the row. */
  | 'wkb-invalid'
  /** A geometry has curved edges. | Convert it to straight edges, for example by `ST_CurveToLine` of PostGIS. */
  | 'geometry-unsupported'
  /** A row of a Parquet file to be written is not a list, or a cell is not of its column's type. | Convert the cell at the field. */
  | 'cell-type'
  /** A geometry in a CSV file is not well-known text (WKT). | Correct the text at the offset. */
  | 'wkt-syntax'
  /** A time is not in epoch milliseconds, is outside the years 1 to 9999, or is before the time that it must follow. | Check that it is in epoch milliseconds. */
  | 'time-range'
  /** Opening hours have a field, day, date or time that does not exist. | Correct the value at the field. */
  | 'hours-invalid'
  /** A document is nested deeper than allowed. | Raise `limits.maxDepth`, or flatten the document. */
  | 'limit-depth'
  /** A file has more bytes than `limits.maxBytes`. | Raise the limit, or split the file. */
  | 'limit-bytes'
  /** A file has more features than `limits.maxFeatures`. | Raise the limit, or split the file. */
  | 'limit-features'
  /** One feature, comment or text between two tags is too long. | Split the feature; the limit protects the memory. */
  | 'limit-text'
  /** A KMZ file has more entries than `limits.maxEntries`. | Raise the limit. */
  | 'limit-entries'
  /** A document in a KMZ file inflates to more than allowed, as a ZIP bomb does. | Unpack it and read the `.kml`, if you trust its source. */
  | 'limit-inflated'
  /** A table has more rows than a sheet of a workbook can hold. | Write Parquet or CSV. */
  | 'limit-rows'
  /** The tiles of the least zoom of `--basemap` have more bytes than `--basemap-bytes`. | Raise `--basemap-bytes`, or give `--tiles`. */
  | 'limit-basemap'
  // The command line
  /** The file of `--basemap` is not a PMTiles archive of images or vector tiles. | Give such an archive. */
  | 'basemap-type'
  /** An output file cannot be written. | Read the message: a missing folder, a missing right, a full disk. */
  | 'output-unwritable'
  /** An output file is also an input, or the same as another output. | Name another output. */
  | 'output-is-input'
  /** The file of `--tiles` does not exist. | Give the folder or the `.tar` that `valhalla_build_tiles` made. */
  | 'tiles-missing'
  /** Valhalla cannot read the tiles. | Build them with the version of the package `@valhallajs/valhallajs`. */
  | 'tiles-unusable'
  /** `--tiles` needs a package that is not installed. | Run the `npm install` of the message. */
  | 'valhalla-missing'
  // Listing
  /** A list of rows or groups is not an array. | Pass an array. */
  | 'list-type'
  /** A row of a list is not an object. | Remove null and other values from the list. */
  | 'row-type'
  /** A work type is not a text. | Pass strings. */
  | 'work-type'
  /** A request names a field that rows of this kind do not have. | Use one of the fields that the message names. */
  | 'field-unknown'
  // Trips
  /** A trip is not an object, or has no id of its unit where one is needed. | Pass a trip of the platform. */
  | 'trip-type'
  /** A trip has no points. | Add at least one point. */
  | 'points-missing'
  /** A trip has no dates, or `options.dates` of a new one is empty. | Add at least one date. */
  | 'dates-missing'
  /** A value is not a date `yyyy-MM-dd` that exists; a time part may only be 00:00. | Correct the date. */
  | 'date'
  /** The date is not among the dates of the trip. | Ask for one of its dates. */
  | 'date-not-planned'
  /** A value is not a time `HH:mm`, or, for `parsePlatformTime`, `yyyy-MM-dd HH:mm:ss`. | Correct the time. */
  | 'time'
  /** A number must be whole. | Round it. */
  | 'integer'
  /** A number is out of its range. | The message names the range. */
  | 'range'
  /** A value is of another type than its field. | The message names the type. */
  | 'type'
  /** A time zone is not known to the runtime. | Pass an IANA name such as `Europe/Berlin`. */
  | 'tz-unknown'
  /** A trip is activated by the time of its first point, but that point has no time. | Set arrival or departure of the first point. */
  | 'activation-time'
  /** Visits are not an array. | Pass what `findVisits` returns. */
  | 'visits-type'
  /** A visit is not of the form that `findVisits` gives. | Pass visits unchanged. */
  | 'visit-invalid'
  /** The zone of a visit is not a point of the trip. | Find the visits with an index of the trip's zones. */
  | 'visit-zone'
  /** Gaps are not an array. | Pass a list of `{from, to}`. */
  | 'gaps-type'
  /** A gap lacks `from` or `to`, or ends before it begins. | Give both in epoch milliseconds. */
  | 'gap-invalid'
  /** Changes of a run are not an array. | Pass a list of `{type, at}`. */
  | 'changes-type'
  /** A change of a run lacks its type, its time or its point. | Give `type` (`excuse`, `cancel`, `amend` or `handOver`), whole epoch milliseconds, and what the type asks for. */
  | 'change-invalid'
  /** A change is earlier than fixes or an amendment that are judged already. | Pass a time that is not before the last fix or amendment; for a hand-over, one after the last fix. */
  | 'change-late'
  /** The points of an amendment do not say which old points they are. | Give `from` one entry per new point: the index of its old point, or `null`. No index may repeat. */
  | 'amend-points'
  /** Legs of a prediction are not a list of at least one. | Pass the legs of an engine's route. */
  | 'legs-type'
  /** A leg has no usable duration or geometry. | Give `durationSeconds` from 0 and at least two positions. */
  | 'leg-invalid'
  /** The engine of a prediction has no `route` and `matrix`. | Pass an engine, such as `osrmEngine(…)`. */
  | 'engine-type'
  /** A report is not what `evaluateTrip` returns. | Pass it unchanged. */
  | 'report-type'
  /** A snapshot is of another trip than its tracker. | Restore it with the trip that the message names. */
  | 'state-trip'
  // Routing
  /** The engine finds no way between two points. | Check the points, the costing and the zones to avoid. */
  | 'no-route'
  /** There is no road near a point. | Move the point, or check the area of the engine's map. */
  | 'no-segment'
  /** The engine's own limit on points or distance is exceeded. | Ask for fewer points, or raise the limit of the server. */
  | 'engine-limit'
  /** The engine refuses the request for another reason. | Read the message, which has the engine's own code. */
  | 'engine-query'
  /** The engine answers 429 or 503 after all retries. | Try again later; give `wait` so that retries can wait. */
  | 'engine-busy'
  /** The engine does not answer within `timeoutSeconds`. | Raise the option, or ask for less at a time. */
  | 'engine-timeout'
  /** The request to the engine fails on the network. | Check the address; `cause` holds the error. */
  | 'engine-unreachable'
  /** The engine's answer is not JSON, or lacks the requested fields. | Check the address and the version of the server. */
  | 'engine-response'
  /** Points of a routing request are too few, or their text is not `lat,lon;lat,lon`. | Give at least the number that the message names. */
  | 'routing-points'
  /** A request has more points than `maxPoints`; a matrix more than 5,000, or more than 12 with windows; or the visits of a trip overlap too much. | Ask in several parts. */
  | 'limit-points'
  /** A matrix is not an array of rows that are as long as the matrix. | Give a square matrix. */
  | 'matrix-shape'
  /** A cost is NaN, negative, finite above 1e300, or not 0 on the diagonal. | Use `Infinity` where there is no way. */
  | 'matrix-value'
  /** A window is not null or `[open, close]` with open ≤ close. | Correct the window at the field. */
  | 'window-invalid'
  /** No order keeps all windows. | Widen the window at the field, or drop that point. */
  | 'windows-infeasible'
  /** A language is not one that the texts have. | Use one that the message names. */
  | 'language-unknown'
  /** A built route is not in the form that `buildRouting` gives. | Store and send it unchanged. */
  | 'routing-result'
  /** A track has fewer than two fixes. | A route needs a longer track. */
  | 'track-too-short'
  /** The points of a route are not an array of points, or too few. | Give an array, of the least number that the message names. */
  | 'route-points'
  // Ids of the platform, refused requests
  /** There is no geozone of this id. | Answer its `toJSON()` with status 400: the platform's code is 4000. */
  | 'geozone-not-found'
  /** There is no group of geozones of this id. | Answer its `toJSON()` with status 400: the platform's code is 4000. */
  | 'geozone-group-not-found'
  /** There is no custom type of geozones of this id. | Answer its `toJSON()` with status 400: the platform's code is 4000. */
  | 'custom-geozone-type-not-found'
  /** There is no route of this id. | Answer its `toJSON()` with status 422. */
  | 'route-not-found'
  /** There is no trip of this id. | Answer its `toJSON()` with status 422. */
  | 'trip-not-found'
  /** There is no unit of this id. | Answer its `toJSON()` with status 422. */
  | 'unit-not-found'
  /** There is no trailer of this id. | Answer its `toJSON()` with status 422. */
  | 'trailer-not-found'
  /** There is no user of this id. | Answer its `toJSON()` with status 422. */
  | 'user-not-found'
  /** There is no company of this id. | Answer its `toJSON()` with status 422. */
  | 'company-not-found'
  /** A request has no valid access token. | Answer its `toJSON()` with status 401. */
  | 'unauthorized'
  /** The caller has no right to the requested operation. | Answer its `toJSON()` with status 403. */
  | 'forbidden'
  /** A request asks for an address that does not exist. | Answer its `toJSON()` with status 404. */
  | 'not-found';

/** Reason of a `FieldError`: the code of an error, or a code used only in lists of field errors. */
export type FieldReason =
  | ErrorCode
  // Validation
  /** A field is absent. | Add it. */
  | 'required'
  /** A text or a list is empty, or shorter than its least length. | Fill it, or leave the field out where it is optional. */
  | 'empty'
  /** A number is NaN or infinite. | Correct its source. */
  | 'not-finite'
  /** A value is not a uuid. | Give 8-4-4-4-12 hexadecimal digits. */
  | 'uuid'
  /** The value of a custom field does not match the field's pattern. | Send a value of the field's form, which the message names. */
  | 'field-pattern'
  /** The pattern of a custom field is not a regular expression, or not that of the platform's field. | Correct it, or leave it out. */
  | 'pattern-invalid'
  /** A date occurs twice in the list. | Remove one. */
  | 'date-duplicate'
  /** A planned time is before the one that it must follow. | Correct the time, or add `after_days`. */
  | 'order-of-times'
  /** `geometry` and `coordinates` of a geozone or a point differ. | Send one of the two. */
  | 'geometry-conflict'
  /** A list has more items than it may. | Send fewer at a time. */
  | 'limit-items'
  /** More than 1,000 field errors were found; the rest is not listed. | Correct these first. */
  | 'too-many-errors'
  /** More than 100 faults of one shape were found; the rest is not listed. | Correct these first. */
  | 'limit-errors'
  /** Two segments of a ring meet; `segments` has their numbers. | Move a vertex of one of them. */
  | 'ring-self-intersects'
  /** Two holes share more than points. | Join them to one hole. */
  | 'hole-overlap'
  /** Rings that touch cut the interior in two. | Store two parts. */
  | 'interior-disconnected'
  /** Two parts share more than points. | Unite them, for example by `@turf/turf`. */
  | 'part-overlap'
  // Listing
  /** The value of a condition is not of the kind that its field takes. | The message names the kind. */
  | 'condition-value'
  /** A request has more than 100 conditions. | Ask with fewer. */
  | 'limit-conditions'
  /** A number is negative or not whole; in a file: a double does not represent it exactly, so it is kept as text. | Correct the number. */
  | 'number-range';

/** Code of an `Issue`: a code of errors or field errors, or a code used only for issues. */
export type IssueCode =
  | FieldReason
  | RejectReason
  // Shapes
  /** A zone or a unit is near the others, or near `near`, only with its numbers swapped. | Check the order of its pairs; set `axisOrder` if all are swapped. */
  | 'axis-order-suspect'
  /** All tracks are over 500 km from the nearest zone. | Check that the files belong together, and the coordinate system and the order of the pairs of the zones. */
  | 'zones-far'
  // Opening hours
  /** A rule of an `opening_hours` text is outside the part that is read. | Write the hours by hand. */
  | 'hours-unsupported'
  // Tracks
  /** The mileage that the settings ask for is missing; steps without it count by position. | Send the mileage, or set `tripdetector_mileagedetect` to `mileage_GPS`. */
  | 'mileage-missing'
  /** Steps longer than `tripdetector_maxdistancemsg`, but not faster than `maxJumpSpeedKph`, cut trips. | Raise the setting, or pass `jump: 'speed'`. */
  | 'jump-plausible'
  /** Reported speeds contradict the positions: rest while the unit drove, or motion while it was parked. The positions decide. | Check the unit's settings: `docs/guide/movement.md`. */
  | 'speed-contradicts'
  /** The unit moved with its ignition off. | It was towed or on a ferry; else connect the ignition wire: `docs/guide/movement.md`. */
  | 'ignition-contradicts'
  /** The mileage of trips is under half or over twice their way by position, which counts. | Check the unit's odometer: `docs/guide/movement.md`. */
  | 'mileage-contradicts'
  // Reading and writing files
  /** The bytes of a file do not fit its encoding, or the encoding is unknown. | Save the file as UTF-8. */
  | 'encoding'
  /** A feature has no geometry; it is not read. | Nothing, if the source has such rows. */
  | 'geometry-missing'
  /** A zone that wayzone wrote has fields that do not fit its geometry or id; they are not used. | Nothing, if the file was edited on purpose. */
  | 'type-mismatch'
  /** A file states edges that are geodesics; they are read straight in longitude and latitude. | Add vertices to long edges. */
  | 'edges-straight'
  /** Measures of positions (M) are left out; zones have none. | Nothing. */
  | 'measure-dropped'
  /** Fields have no place in the format; they are left out. | Choose another format, if they matter. */
  | 'fields-left-out'
  /** Altitudes are left out; zones have none. | Nothing. */
  | 'altitude-dropped'
  /** The option `crs` is used, although the file names another system. | Leave the option out, if the file is right. */
  | 'crs-overridden'
  /** The datum of a coordinate system is shifted to WGS84 with an error of metres that the message names. | Convert the file to WGS84 with the grids of its country, if that is too much. */
  | 'crs-datum'
  /** Geometries lie outside of the box or the area of use that their file states. | Check the coordinate system, and the order of the axes. */
  | 'crs-area'
  /** A GeoJSON document has a second member `features`; it is not read. | Correct the program that wrote it. */
  | 'json-duplicate'
  /** An XML file refers to a character that XML does not allow. | Correct the file at the line. */
  | 'xml-bad-char-ref'
  /** The root element is not `kml`. | Check which file was opened; a bare Placemark or Document is read all the same. */
  | 'kml-root'
  /** A Polygon has no outer boundary, or two. | Correct the Polygon. */
  | 'kml-polygon'
  /** Data of a Placemark, Style or Folder do not fit a zone or group; they are left out. | Nothing, if they do not matter. */
  | 'kml-data'
  /** A colour is not eight hexadecimal digits `aabbggrr`. | Correct the style. */
  | 'kml-color'
  /** The numbers of times, angles and positions of a gx:Track differ. | Correct the track; the message says which part is read. */
  | 'kml-track-mismatch'
  /** An element is not read, such as a Model or an overlay, or a geometry is outside a Placemark. | Nothing, if it is not a zone. */
  | 'kml-unsupported'
  /** The root element is not `gpx`. | Check which file was opened. */
  | 'gpx-root'
  /** A GPX file has fields that fixes and route points do not have; they are left out. | Nothing, if they do not matter. */
  | 'gpx-fields'
  /** An entry of a KMZ file is a link, or its path could leave the folder, or its name occurs twice; it is left out. | Pack the file again. */
  | 'kmz-entry-name'
  /** A NetworkLink of a KMZ file leaves the archive, addresses nothing in it, or a document that is read already; it is not followed. | Nothing, or pack the file again with its documents. */
  | 'kmz-link'
  /** A KMZ file has documents that `doc.kml`, or the first one, does not link; they are not read. | Unpack it and read the others one by one. */
  | 'kmz-more-kml'
  /** A quote of a CSV file is not well formed. Error: the rest is not read. Warning: the message says how it is read. | Correct the quotes at the line. */
  | 'csv-syntax'
  /** A needed column is missing or occurs twice, or a row has more or fewer cells than the header. | Name the column in `columns`, or correct the row. */
  | 'csv-columns'
  /** The unit of a row of fixes is empty, or the rows cannot be of one unit. | Fill the cell, name the column of the unit, or pass `unitId`. */
  | 'unit-missing'
  /** The unit of the speed column is unknown; speeds are left out. | Pass `speedUnit`. */
  | 'speed-unit'
  /** The name of an element is written in another case than its format prescribes; it is read. | Nothing, or correct the program that wrote it. */
  | 'element-case'
  /** An element stands where its format does not allow it; the message says how it is read. | Correct the program that wrote it. */
  | 'element-misplaced'
  /** An edge of more than 180° of longitude is read the short way round, over ±180. | Add a vertex if it goes the long way, as round the world. */
  | 'edge-short-way'
  /** A planned time has seconds, which plans do not; they are left out. | Plan in whole minutes. */
  | 'plan-seconds'
  /** Values of fixes stand for unknown ones, such as a speed of 65535 or an altitude of -32768; they are left out of the field. | Nothing. */
  | 'value-unknown'
  /** A cell or element is not a number, or not true or false; it is left out. | Correct it. */
  | 'number-invalid'
  /** A time is not of the expected form; the fix is left out. | Correct it, or pass `timeFormat`. */
  | 'time-invalid'
  /** Points of a GPX track have no time; they are left out of its fixes. | Nothing, if it is a drawn line. */
  | 'time-missing'
  /** Times have no zone; they are not read. | Say the zone: `timeZone`, `--time-zone Europe/Berlin`. */
  | 'time-zone-missing'
  /** An assumption about a table that is not certain. | Read the line; `wayzone inspect` shows what changes each assumption. */
  | 'table-assumed'
  /** The letters of a file do not show its encoding. | Say it: `encoding`, `--encoding windows-1251`. */
  | 'encoding-unknown'
  /** No row names columns of a time and a position, or several columns can be meant. | Name them: `columns`, `--columns unit,time,lat,lon,speed`. */
  | 'columns-unknown'
  /** Rows have more cells than the header, as numbers cut at a decimal comma. | Save the table with another delimiter. */
  | 'cells-more-than-header'
  /** Day and month of the dates of a column cannot be told apart. | Say the order: `dateOrder`, `--date-order mdy`. */
  | 'date-order-unknown'
  /** Times have no date. | Say the day: `date`, `--date 2026-03-20`. */
  | 'date-missing'
  /** Numbers of a column are times in several forms, or in another form than the header says. | Correct the column. */
  | 'time-format-unknown'
  /** A local time does not exist, because the clocks skip it. The row is left out. | Check the zone of the times. */
  | 'time-skipped'
  /** Local times come twice; the order of the rows settled which is meant. | Export times with their offset. */
  | 'time-doubled'
  /** Positions are not degrees, and can be in several forms. | Say the form: `coordinates`, `--coordinates ddmm`. */
  | 'coordinate-form-unknown'
  /** The unit of an odometer is unknown; its values are left out. | Say it: `mileageUnit`, `--mileage-unit km`. */
  | 'mileage-unit'
  /** The unit of radii is unknown. | Say it: `radiusUnit`, `--radius-unit km`. */
  | 'radius-unit-unknown'
  /** A spreadsheet program rounded long numbers (3.52094E+14), so that units or times are lost. | Save the column as text, with all digits. */
  | 'digits-lost'
  /** The caller expects fixes and the table holds zones, or the other way round. | Check which file was given; `table.kind`. */
  | 'table-kind'
  /** Rows cannot be of one unit, and a column parts them into plausible tracks. | Name the column: `--unit-column`. */
  | 'unit-column-unknown'
  /** A plan names a zone that no file has; its trip is left out. | Give the file of that zone, or correct the name. */
  | 'zone-unknown'
  /** A plan names a zone by a name that several have; its trip is left out. | Use the id. */
  | 'zone-ambiguous'
  /** A table lacks the columns of the profile. | Check the file, or give another profile. */
  | 'profile-mismatch'
  /** Rows that their program marks as invalid are left out. | Nothing. */
  | 'row-invalid'
  /** A time is a leap second; it is read as the millisecond before. | Nothing. */
  | 'leap-second'
  // The command line
  /** A file cannot be opened or read. | Check the path and the rights. */
  | 'file-unreadable'
  /** The file name has an ending that no reader knows. | Rename the file. */
  | 'format-unknown'
  /** A `.gz` file cannot be inflated. | Copy the file again. */
  | 'gzip-invalid'
  /** A file of zones has no zones. | Check which file was given. */
  | 'no-zones'
  /** A file of tracks has no tracks. | Check which file was given. */
  | 'no-tracks'
  /** A file of trips has no trips. | Check which file was given. */
  | 'no-trips'
  /** No trip has a run on the requested days. | Check `--date` and the dates of the trips. */
  | 'no-runs'
  /** A file of positions has no tracks or points. | Check which file was given. */
  | 'no-positions'
  /** Lines and polygons in a file of positions are left out. | Nothing, if only points are wanted. */
  | 'not-a-position'
  /** A zone that is not a line has no corridor; it is left out. | Nothing, if only lines are wanted. */
  | 'not-a-line'
  /** A zone is marked deleted and left out. | Nothing. */
  | 'zone-deleted'
  /** A trip is marked deleted and left out. | Nothing. */
  | 'trip-deleted'
  /** The format has no groups; they are left out. | Convert to KML or KMZ to keep them. */
  | 'groups-left-out'
  /** A track is written as a line; its times and speeds are left out. | Convert to GPX to keep them. */
  | 'track-as-line'
  /** A route is written as a line; the names and types of its points are left out. | Convert to KML, GeoJSON or GPX to keep them. */
  | 'route-as-line';

/** Reason why a fix is not in a track. `Track.rejected` and trackers count fixes by it. */
export type RejectReason =
  // Tracks
  /** A fix has no usable time or position, or says `valid: false`. | Check what the unit sends. */
  | 'invalid'
  /** A time is before `earliestTime` or after `latestTime`, after the time of reading, or days from all others. | Check the clock of the unit; see `rolloverWindow` for times that are 1024 weeks early. */
  | 'time-implausible'
  /** A position is exactly 0, 0, which units without reception send. | Pass `keepZeroIsland` for a fleet in the Gulf of Guinea. */
  | 'zero-island'
  /** A fix has the time of another; the more accurate one stays. | Nothing. */
  | 'duplicate'
  /** A fix is less accurate than `maxAccuracyMeters`. | Nothing, or raise the option. */
  | 'accuracy'
  /** A fix has fewer satellites than `minSatellites`. | Nothing, or lower the option. */
  | 'satellites'
  /** One fix alone is faster than `maxSpeedKph` from the last good one. | Raise the option for vehicles that are as fast. */
  | 'speed'
  /** Several fixes in a row are faster than `maxSpeedKph` from the last good one, until a fix came back: the receiver was jammed. | Raise the option for vehicles that are as fast. */
  | 'jammed'
  /** The position was repeated to the bit while the unit drove by its speed or mileage: the receiver was frozen. | Check the receiver; see `frozenSpeedKph`. */
  | 'frozen'
  // Trips
  /** A fix is of another unit than the one in charge of the run. | Nothing, or hand the run over with `handOver`. */
  | 'other-unit';
