/**
 * Codes of errors, field errors and issues, and reasons to leave a fix out: the list from which `docs/errors.md` is written.
 *
 * Each member's comment says when it occurs and, after `|`, what to do. A comment `// …` begins a group.
 */

/**
 * Further codes for `WayzoneError`, as field names. A program adds its own codes by declaration merging.
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
  /** A box is not four finite numbers, a number is out of range, or south is above north. | Give `[west, south, east, north]` in degrees. */
  | 'bbox-invalid'
  /** An azimuth is not a number from -360 to 360. | Give degrees clockwise from north. */
  | 'azimuth-range'
  /** A distance is not a number from 0 to 40,075,017. | Give metres, at most once around the Earth. */
  | 'distance-range'
  /** The options, or one option, have the wrong type. | Pass the type that the message names. */
  | 'option-type'
  /** The function has no option of this name. | Correct the spelling. The message names the nearest option. */
  | 'option-unknown'
  /** The value of an option is not allowed. | Pass one of the values that the message names. */
  | 'option-value'
  /** Reading the input throws, in a getter or a proxy. | Pass plain objects. `cause` is the thrown error. */
  | 'input-unreadable'
  // Shapes
  /** The value is not a shape, or its `type.key` is not `point`, `circle`, `line` or `polygon`. | Set `type.key` to one of the four. */
  | 'zone-type'
  /** A geometry has the wrong number of pairs for its type. | Give one pair for a point or a circle, at least one for a line. */
  | 'geometry-count'
  /** A ring has fewer than three different vertices, or a list of parts or rings is empty. | Add the missing vertices, or leave the part out. */
  | 'ring-too-short'
  /** All vertices of a ring lie on one straight line or one parallel. | Correct the ring. Store a narrow strip as a `line` with a width. */
  | 'ring-zero-area'
  /** A line has no position, or all its positions are equal. | Add positions, or store a `point`. */
  | 'line-too-short'
  /** An edge spans exactly 180° of longitude, so its direction is ambiguous. | Add a vertex between its ends. */
  | 'edge-ambiguous'
  /** A hole crosses its outer ring, lies outside, or is larger. | Correct the hole, or store it as a separate part. */
  | 'hole-outside'
  /** A radius is negative, not finite, or more than half around the Earth. The radius of a circle must be at least 1 mm. | Give metres, or store a `point`. */
  | 'radius-range'
  /** The width of a line must be above 0 and at most 2,000,000 m. Other widths must be at least 0 m. | Give metres. `lineWidth` says whether the width counts each side. */
  | 'width-range'
  /** A circle or a line has no width. | Set `width`, or pass `defaultWidthMeters` (`--width` on the command line). */
  | 'width-missing'
  /** A zone or line has more than 1,000,000 vertices, a file has more than `limits.maxVertices`, or a corridor would need too many. | Simplify the line, or raise the limit of the file. */
  | 'limit-vertices'
  /** A corridor failed the check of its boundary twice. This is a fault of wayzone. | Report the line and its width. Draw the corridor in another way. */
  | 'corridor-uncertified'
  /** The rings of a polygon cross so often that computing its outline would take too long. | Draw the polygon again without crossings. */
  | 'limit-crossings'
  /** A zone has more than 50,000 rings. | Split the zone. */
  | 'limit-rings'
  /** A point without a width, or a circle of radius 0, has no outline. | Give it a width, or skip it. */
  | 'outline-empty'
  /** `toleranceMeters` is out of range. | Give at least 0.0001 metres. */
  | 'tolerance-range'
  // Validation
  /** The input has field errors. | Read `errors`. Each field error has the path of a field and a reason from this page. */
  | 'validation'
  /** The key is not in the dictionary of its field (type, color, icon, activation, passage order). | Use a key of `listDictionaries`, or pass your own entries in the option `dictionaries`. */
  | 'dictionary-key'
  // completeGeozone
  /** The input is not an object. | Pass one geozone. */
  | 'geozone-type'
  /** The sent `area` differs from the computed area by more than 1 %. | Nothing to do. wayzone uses the computed value. The sender has an old copy. */
  | 'area-differs'
  /** The sent `perimeter` differs from the computed perimeter by more than 1 %. | Nothing to do. wayzone uses the computed value. The sender has an old copy. */
  | 'perimeter-differs'
  /** The sent `polygon_geometry` is not a ring, its area differs by more than 1 %, or the zone is not a line. | Nothing to do. wayzone uses the computed value. The sender has an old copy. */
  | 'polygon-differs'
  // Index
  /** An id is not a text (in a file: neither a text nor a number). | Give every row an `id` that is a string. */
  | 'id-type'
  /** An id has more than 65,536 characters. | Use a shorter id. */
  | 'id-length'
  /** Two zones or two units have the same id. | Make the ids unique. Readers of files rename the second zone and warn. */
  | 'duplicate-id'
  /** `fromBuffer` received a value that is not an `ArrayBuffer`, a `SharedArrayBuffer` or a view of one. | Pass the bytes, such as the `Buffer` of `readFile`. */
  | 'buffer-type'
  /** The buffer was not written by `ZoneIndex.toBuffer`. | Check which file was opened. */
  | 'buffer-foreign'
  /** Another version of wayzone wrote the buffer, in another format. | Build the index again and write a new buffer. */
  | 'buffer-version'
  /** The buffer was written on a machine with another byte order. | Build the index again on this machine. */
  | 'buffer-byte-order'
  /** The length of the buffer differs from its header. | Copy the file again. The transfer was not complete. */
  | 'buffer-truncated'
  /** The checksum or a table of the buffer is wrong. | Copy the file again, or build the index again. */
  | 'buffer-damaged'
  /** A row cannot be written as JSON. | Remove circular references and BigInts from the row. `cause` has the reason. */
  | 'buffer-row'
  /** The rows of the index need more than 4 GB in a buffer. | Index only ids and shapes, and store the rows elsewhere. */
  | 'buffer-limit'
  // Worker threads
  /** The option `signal` was aborted. | Nothing to do if you aborted it. `cause` is the reason of the signal. */
  | 'aborted'
  /** A worker thread ended without an answer. | Read the message. Pass fewer `workers` if memory ran out. */
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
  /** A number of a tile is not whole, or the tile does not exist: `z` is 0 to 24, `x` and `y` are 0 to 2^z - 1. | Check the order of the numbers. Most tile addresses are z/x/y. */
  | 'tile-range'
  /** The fixes are not iterable, or a fix of a track to be written is not an object. | Pass an array or generator of fixes. */
  | 'fixes-type'
  /** The value is not a track of `readTrack`: its columns differ in length, or its times do not increase. | Pass the result of `readTrack` unchanged. */
  | 'track-invalid'
  /** A span is not two whole epoch milliseconds in order. | Give `from` and `to` in epoch milliseconds, with `from` not after `to`. */
  | 'span-invalid'
  /** Spans are not an array. | Pass a list of visits, runs or `{zoneId, from, to}`. */
  | 'spans-type'
  /** The value is not a meter of `meterTrack`. | Pass the result of `meterTrack` unchanged. */
  | 'meter-invalid'
  /** The value is not a route of `prepareRoute`. | Pass the result of `prepareRoute` unchanged. */
  | 'route-type'
  /** Another version of wayzone wrote the snapshot, in another format. | Start a new tracker and push the recent fixes. */
  | 'state-version'
  /** The snapshot was changed or damaged. | Restore an older snapshot, or start a new tracker. */
  | 'state-corrupt'
  /** The snapshot was made with other options. | Make the tracker with the options that the message names. */
  | 'state-options'
  /** A message of `unitOperator` has the wrong form, or its state belongs to another unit. | Set the unit and the message aside, and correct the sender. */
  | 'unit-message'
  /** The tracker already follows a unit of the snapshot. | Restore the snapshot before the first fix of that unit. */
  | 'unit-known'
  /** The id of a unit is not a text. | Pass a string. */
  | 'unit-id'
  /** The tracker would follow more units than `maxUnits`. | Raise the option, or call `forget` for units that are gone. */
  | 'limit-units'
  /** The movement settings are not an object or a list of `{key, value}`. | Pass the settings of the platform unchanged. */
  | 'settings-type'
  /** A movement setting occurs twice, or its value is not allowed. | Pass the value that the message names. */
  | 'setting-value'
  /** A gradation lacks styles, a colour is not `#rrggbb`, limits do not increase, or the last limit is not null. | Sort the styles by `max`, and set the last `max` to null. */
  | 'gradation-invalid'
  // Reading and writing files
  /** The input of a reader is neither text nor bytes. | Pass a string or a `Uint8Array`; a stream gives `Uint8Array` chunks. */
  | 'input-type'
  /** The source of a reader or writer is not iterable, or an item is neither a zone nor a section. | Pass an array, a generator or a stream. */
  | 'source-type'
  /** The text is not JSON. | Correct the text at the offset and line that the message names. */
  | 'json-syntax'
  /** JSON cannot represent the value: a function, a symbol or a BigInt. | Remove it from `properties`. */
  | 'json-value'
  /** A zone to be written contains itself. | Remove the circular reference. */
  | 'cycle'
  /** A member of GeoJSON has the wrong type, or a `type` is unknown. | Correct the member at the field. */
  | 'geojson-type'
  /** The nesting of GeoJSON coordinates is wrong, or a position has fewer than two numbers. | Nest the coordinates as the geometry type needs. */
  | 'geojson-nesting'
  /** The file names a coordinate system that the reader does not support. | Load it with `loadCrs` and pass it as `crs`. KML and GPX are always WGS84. */
  | 'crs-unsupported'
  /** The option `crs` is the name of a coordinate system that is not loaded. | Pass `await loadCrs(name)`. */
  | 'crs-not-loaded'
  /** A position is outside the domain of the coordinate system. | Check that the file uses this system. */
  | 'crs-range'
  /** A file is not well-formed XML. | Correct the file at the line. */
  | 'xml-malformed'
  /** The XML file ends too early. | Copy the file again. The content before the end is returned. */
  | 'xml-truncated'
  /** The XML file has a DOCTYPE, which could define unlimited entities. | Remove the declaration from the file. */
  | 'xml-dtd-forbidden'
  /** Coordinates of KML are empty or not `lon,lat[,altitude]` tuples. | Correct the element. */
  | 'kml-coordinates'
  /** A fix to be written to KML has fields other than time, position, altitude and course. | Leave these fields out, or write GPX or CSV. */
  | 'kml-fix'
  /** A zone to be written to GPX is a line or polygon. | Write points and circles only, or choose another format. */
  | 'gpx-zone'
  /** A KMZ file is not a valid ZIP file. | Copy the file again. */
  | 'kmz-corrupt'
  /** The KMZ file has no entry whose name ends in `.kml`. | Check which file was opened. */
  | 'kmz-no-kml'
  /** The KMZ file is encrypted, split, ZIP64, or not compressed by deflate. | Pack it again as a plain ZIP file. */
  | 'kmz-unsupported'
  /** Parts of the workbook are missing or contradict each other. | Save the table again as XLSX. */
  | 'xlsx-corrupt'
  /** The workbook is encrypted, ZIP64, or not compressed by deflate. | Save it without a password, or as CSV. */
  | 'xlsx-unsupported'
  /** The Parquet file is damaged. | Copy the file again. The rows before the damage are returned. */
  | 'parquet-invalid'
  /** The Parquet file has an unknown compression, a nested column, or no geometry column. | Write it again with plain columns, or name the columns. */
  | 'parquet-unsupported'
  /** A geometry is not well-known binary (WKB). | Correct the program that wrote the row. */
  | 'wkb-invalid'
  /** A geometry has curved edges. | Convert it to straight edges, for example by `ST_CurveToLine` of PostGIS. */
  | 'geometry-unsupported'
  /** A row to be written to Parquet is not a list, or a cell has another type than its column. | Convert the cell at the field. */
  | 'cell-type'
  /** A geometry in a CSV file is not well-known text (WKT). | Correct the text at the offset. */
  | 'wkt-syntax'
  /** A time is not in epoch milliseconds, is outside the years 1 to 9999, or ends a period before its start. | Check the unit and the order of the times. */
  | 'time-range'
  /** Opening hours have an unknown field, day, date or time. | Correct the value at the field. */
  | 'hours-invalid'
  /** A document is nested deeper than allowed. | Raise `limits.maxDepth`, or flatten the document. */
  | 'limit-depth'
  /** A file has more bytes than `limits.maxBytes`. | Raise the limit, or split the file. */
  | 'limit-bytes'
  /** A file has more features than `limits.maxFeatures`. | Raise the limit, or split the file. */
  | 'limit-features'
  /** One feature, comment or text between two tags is too long. | Split the feature. The limit protects the memory. */
  | 'limit-text'
  /** A KMZ file has more entries than `limits.maxEntries`. | Raise the limit. */
  | 'limit-entries'
  /** A document of the KMZ file inflates to more than the limit, as a ZIP bomb does. | If you trust the source, unpack the file and read the `.kml`. */
  | 'limit-inflated'
  /** The table has more rows than a sheet of a workbook can hold. | Write Parquet or CSV. */
  | 'limit-rows'
  /** At the lowest zoom the tiles of `--basemap` have more bytes than `--basemap-bytes`. | Raise `--basemap-bytes`, or give `--tiles`. */
  | 'limit-basemap'
  // The command line
  /** The file of `--basemap` is not a PMTiles archive of images or vector tiles. | Give such an archive. */
  | 'basemap-type'
  /** The output file cannot be written. | Read the message: a folder is missing, a right is missing, or the disk is full. */
  | 'output-unwritable'
  /** The output file is also an input, or equals another output. | Name another output. */
  | 'output-is-input'
  /** The file of `--tiles` does not exist. | Give the folder or the `.tar` of `valhalla_build_tiles`. */
  | 'tiles-missing'
  /** Valhalla cannot read the tiles. | Build the tiles with the version of the package `@valhallajs/valhallajs`. */
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
  /** The request names a field that these rows do not have. | Use one of the fields that the message names. */
  | 'field-unknown'
  // Trips
  /** The trip is not an object, or lacks a needed unit id. | Pass a trip of the platform. */
  | 'trip-type'
  /** A trip has no points. | Add at least one point. */
  | 'points-missing'
  /** The trip has no dates, or `options.dates` of a new trip is empty. | Add at least one date. */
  | 'dates-missing'
  /** The value is not an existing date `yyyy-MM-dd`. A time part may only be 00:00. | Correct the date. */
  | 'date'
  /** The date is not among the dates of the trip. | Ask for one of its dates. */
  | 'date-not-planned'
  /** The value is not a time `HH:mm` (`parsePlatformTime`: `yyyy-MM-dd HH:mm:ss`). | Correct the time. */
  | 'time'
  /** The number must be whole. | Round it. */
  | 'integer'
  /** The number is out of range. | Give a number of the range that the message names. */
  | 'range'
  /** The value has the wrong type. | Give the type that the message names. */
  | 'type'
  /** A time zone is not known to the runtime. | Pass an IANA name such as `Europe/Berlin`. */
  | 'tz-unknown'
  /** The time of the first point activates the trip, but the first point has no time. | Set arrival or departure of the first point. */
  | 'activation-time'
  /** The visits are not an array. | Pass the result of `findVisits`. */
  | 'visits-type'
  /** A visit has another form than in `findVisits`. | Pass visits unchanged. */
  | 'visit-invalid'
  /** The zone of a visit is not a point of the trip. | Find the visits with an index of the zones of the trip. */
  | 'visit-zone'
  /** Gaps are not an array. | Pass a list of `{from, to}`. */
  | 'gaps-type'
  /** A gap lacks `from` or `to`, or ends before it begins. | Give both in epoch milliseconds. */
  | 'gap-invalid'
  /** Changes of a run are not an array. | Pass a list of `{type, at}`. */
  | 'changes-type'
  /** A change of a run lacks its type, its time or its point. | Give `type` (`excuse`, `cancel`, `amend` or `handOver`), `at` in whole epoch milliseconds, and the fields of the type. */
  | 'change-invalid'
  /** A change is earlier than the last fix or amendment. | Pass a time that is not before the last fix or amendment. A hand-over must be after the last fix. */
  | 'change-late'
  /** The amendment does not map its points to the old points. | Give `from` one entry per new point: the index of its old point, or `null`. No index may repeat. */
  | 'amend-points'
  /** The legs of a prediction are not a list of at least one leg. | Pass the legs of an engine's route. */
  | 'legs-type'
  /** A leg has no usable duration or geometry. | Give `durationSeconds` from 0 and at least two positions. */
  | 'leg-invalid'
  /** The engine of a prediction has no `route` and `matrix`. | Pass an engine, such as `osrmEngine(…)`. */
  | 'engine-type'
  /** The value is not a report of `evaluateTrip`. | Pass the report unchanged. */
  | 'report-type'
  /** The snapshot belongs to another trip. | Restore it with the trip that the message names. */
  | 'state-trip'
  // Routing
  /** The engine finds no way between two points. | Check the points, the costing and the avoided zones. */
  | 'no-route'
  /** No road is near the point. | Move the point, or check the area of the engine's map. */
  | 'no-segment'
  /** The request exceeds the engine's limit of points or distance. | Ask for fewer points, or raise the limit of the server. */
  | 'engine-limit'
  /** The engine refuses the request for another reason. | Read the message. It contains the engine's code. */
  | 'engine-query'
  /** The engine answers 429 or 503 after all retries. | Try again later. Give `wait` so that retries can wait. */
  | 'engine-busy'
  /** The engine does not answer within `timeoutSeconds`. | Raise the option, or send smaller requests. */
  | 'engine-timeout'
  /** The network request to the engine fails. | Check the address. `cause` is the error. */
  | 'engine-unreachable'
  /** The engine's answer is not JSON, or lacks the requested fields. | Check the address and the version of the server. */
  | 'engine-response'
  /** The routing request has too few points, or their text is not `lat,lon;lat,lon`. | Give at least the number that the message names. */
  | 'routing-points'
  /** The request has more points than `maxPoints`. Limits of a matrix: 5,000 points, or 12 with windows. Also: the visits of a trip overlap too much. | Split the request. */
  | 'limit-points'
  /** The matrix is not square. | Give an array of rows, each as long as the matrix. */
  | 'matrix-shape'
  /** A cost is NaN, negative, finite above 1e300, or not 0 on the diagonal. | Use `Infinity` for a missing connection. */
  | 'matrix-value'
  /** A window is not null or `[open, close]` with open ≤ close. | Correct the window at the field. */
  | 'window-invalid'
  /** No order keeps all windows. | Widen the window at the field, or remove that point. */
  | 'windows-infeasible'
  /** The texts do not exist in this language. | Use a language that the message names. */
  | 'language-unknown'
  /** The value is not a route of `buildRouting`. | Store and send the route unchanged. */
  | 'routing-result'
  /** The track has fewer than two fixes. | Pass a longer track. */
  | 'track-too-short'
  /** The points of a route are not an array of points, or too few. | Give an array with the least number of points that the message names. */
  | 'route-points'
  // Ids of the platform, refused requests
  /** No geozone has this id. | Answer with its `toJSON()` and status 400. The platform's code is 4000. */
  | 'geozone-not-found'
  /** No group of geozones has this id. | Answer with its `toJSON()` and status 400. The platform's code is 4000. */
  | 'geozone-group-not-found'
  /** No custom type of geozones has this id. | Answer with its `toJSON()` and status 400. The platform's code is 4000. */
  | 'custom-geozone-type-not-found'
  /** No route has this id. | Answer with its `toJSON()` and status 422. */
  | 'route-not-found'
  /** No trip has this id. | Answer with its `toJSON()` and status 422. */
  | 'trip-not-found'
  /** No unit has this id. | Answer with its `toJSON()` and status 422. */
  | 'unit-not-found'
  /** No trailer has this id. | Answer with its `toJSON()` and status 422. */
  | 'trailer-not-found'
  /** No user has this id. | Answer with its `toJSON()` and status 422. */
  | 'user-not-found'
  /** No company has this id. | Answer with its `toJSON()` and status 422. */
  | 'company-not-found'
  /** The request has no valid access token. | Answer with its `toJSON()` and status 401. */
  | 'unauthorized'
  /** The caller has no right to this operation. | Answer with its `toJSON()` and status 403. */
  | 'forbidden'
  /** The requested address does not exist. | Answer with its `toJSON()` and status 404. */
  | 'not-found';

/** Reason of a `FieldError`: any error code, or a code that occurs only in lists of field errors. */
export type FieldReason =
  | ErrorCode
  // Validation
  /** A field is absent. | Add it. */
  | 'required'
  /** A text or list is empty or too short. | Fill it, or leave an optional field out. */
  | 'empty'
  /** A number is NaN or infinite. | Correct its source. */
  | 'not-finite'
  /** A value is not a uuid. | Give 8-4-4-4-12 hexadecimal digits. */
  | 'uuid'
  /** The value of a custom field does not match the field's pattern. | Send a value of the form that the message names. */
  | 'field-pattern'
  /** The pattern of a custom field is not a regular expression, or differs from the platform's field. | Correct it, or leave it out. */
  | 'pattern-invalid'
  /** A date occurs twice in the list. | Remove one. */
  | 'date-duplicate'
  /** A planned time is before an earlier planned time of the trip. | Correct the time, or add `after_days`. */
  | 'order-of-times'
  /** `geometry` and `coordinates` of a geozone or a point differ. | Send only one of the two. */
  | 'geometry-conflict'
  /** A list has too many items. | Send fewer items at a time. */
  | 'limit-items'
  /** The input has more than 1,000 field errors. Only the first 1,000 are listed. | Correct the listed errors first. */
  | 'too-many-errors'
  /** One shape has more than 100 faults. Only the first 100 are listed. | Correct the listed faults first. */
  | 'limit-errors'
  /** Two segments of a ring meet. `segments` has their numbers. | Move a vertex of one of the segments. */
  | 'ring-self-intersects'
  /** Two holes share more than points. | Join them to one hole. */
  | 'hole-overlap'
  /** Touching rings divide the interior in two. | Store two parts. */
  | 'interior-disconnected'
  /** Two parts share more than points. | Unite them, for example by `@turf/turf`. */
  | 'part-overlap'
  // Listing
  /** The value of a condition has the wrong kind for its field. | Give the kind that the message names. */
  | 'condition-value'
  /** The request has more than 100 conditions. | Send fewer conditions. */
  | 'limit-conditions'
  /** The number is negative or not whole. In a file: a double cannot represent the number, so it is kept as text. | Correct the number. */
  | 'number-range';

/** Code of an `Issue`: any code of errors or field errors, or a code that occurs only in issues. */
export type IssueCode =
  | FieldReason
  | RejectReason
  // Shapes
  /** A zone or unit is near the others, or near `near`, only if its numbers are swapped. | Check the order of its pairs. Set `axisOrder` if all pairs are swapped. */
  | 'axis-order-suspect'
  /** Every track is over 500 km from the nearest zone. | Check that the files belong together. Check the coordinate system and the order of the pairs. */
  | 'zones-far'
  // Opening hours
  /** A rule of an `opening_hours` text is not supported. | Write the hours by hand. */
  | 'hours-unsupported'
  // Tracks
  /** The settings ask for a mileage, but the fixes have none. Steps without a mileage count by position. | Send the mileage, or set `tripdetector_mileagedetect` to `mileage_GPS`. */
  | 'mileage-missing'
  /** Steps longer than `tripdetector_maxdistancemsg` divide trips, although their speed is possible (`maxJumpSpeedKph`). | Raise the setting, or pass `jump: 'speed'`. */
  | 'jump-plausible'
  /** Reported speeds contradict the positions: standstill during a drive, or motion while parked. The positions count. | Check the unit's settings: `docs/guide/movement.md`. */
  | 'speed-contradicts'
  /** The unit moved with its ignition off. | If it was not towed or on a ferry, connect the ignition wire: `docs/guide/movement.md`. */
  | 'ignition-contradicts'
  /** The mileage of trips is under half or over twice the distance by position. The distance counts. | Check the unit's odometer: `docs/guide/movement.md`. */
  | 'mileage-contradicts'
  // Reading and writing files
  /** The bytes of the file do not fit its encoding, or the encoding is unknown. | Save the file as UTF-8. */
  | 'encoding'
  /** A feature without a geometry is left out. | Nothing to do if the source has such rows. */
  | 'geometry-missing'
  /** Some of wayzone's fields do not fit the geometry or id of the zone. They are ignored. | Nothing to do if the file was edited on purpose. */
  | 'type-mismatch'
  /** The file states geodesic edges. They are read as straight in longitude and latitude. | Add vertices to long edges. */
  | 'edges-straight'
  /** Measures of positions (M) are left out, because zones have no measures. | Nothing to do. */
  | 'measure-dropped'
  /** The format has no place for some fields. They are left out. | Choose another format if the fields matter. */
  | 'fields-left-out'
  /** Altitudes are left out, because zones have no altitude. | Nothing to do. */
  | 'altitude-dropped'
  /** The option `crs` is used, although the file names another system. | Leave the option out if the file is right. */
  | 'crs-overridden'
  /** The shift of the datum to WGS84 has an error of metres. The message names the error. | If the error is too large, convert the file to WGS84 with the grids of its country. */
  | 'crs-datum'
  /** Geometries lie outside of the box or area of use that the file states. | Check the coordinate system and the order of the axes. */
  | 'crs-area'
  /** The GeoJSON document has a second member `features`, which is not read. | Correct the program that wrote the file. */
  | 'json-duplicate'
  /** An XML file refers to a character that XML does not allow. | Correct the file at the line. */
  | 'xml-bad-char-ref'
  /** The root element is not `kml`. | Check which file was opened. A bare Placemark or Document is still read. */
  | 'kml-root'
  /** A Polygon has no outer boundary, or two. | Correct the Polygon. */
  | 'kml-polygon'
  /** Data of a Placemark, Style or Folder do not fit a zone or group. They are left out. | Nothing to do if the data do not matter. */
  | 'kml-data'
  /** A colour is not eight hexadecimal digits `aabbggrr`. | Correct the style. */
  | 'kml-color'
  /** A gx:Track has different numbers of times, angles and positions. | Correct the track. The message says which part is read. */
  | 'kml-track-mismatch'
  /** An element, such as a Model or an overlay, is left out. Or a geometry is outside a Placemark. | Nothing to do if the element is not a zone. */
  | 'kml-unsupported'
  /** The root element is not `gpx`. | Check which file was opened. */
  | 'gpx-root'
  /** The GPX file has fields that fixes and route points do not have. They are left out. | Nothing to do if the fields do not matter. */
  | 'gpx-fields'
  /** An entry of the KMZ file is left out: a link, an unsafe path, or a repeated name. | Pack the file again. */
  | 'kmz-entry-name'
  /** A NetworkLink of the KMZ file is not followed. Its target is outside the archive, missing, or already read. | If a document is missing, pack the file again with it. */
  | 'kmz-link'
  /** The KMZ file has documents that `doc.kml`, or the first document, does not link. They are not read. | Unpack the file and read these documents separately. */
  | 'kmz-more-kml'
  /** A quote of the CSV file is wrong. Error: the rest is not read. Warning: the message says how the quote is read. | Correct the quotes at the line. */
  | 'csv-syntax'
  /** A needed column is missing or occurs twice, or a row has more or fewer cells than the header. | Name the column in `columns`, or correct the row. */
  | 'csv-columns'
  /** The unit of a row is empty, or the rows cannot belong to one unit. | Fill the cell, name the unit column, or pass `unitId`. */
  | 'unit-missing'
  /** The unit of the speed column is unknown. Speeds are left out. | Pass `speedUnit`. */
  | 'speed-unit'
  /** The name of an element is in the wrong case. The element is still read. | Nothing to do, or correct the program that wrote the file. */
  | 'element-case'
  /** The format does not allow the element here. The message says how it is read. | Correct the program that wrote the file. */
  | 'element-misplaced'
  /** An edge of more than 180° of longitude is read the short way, over ±180. | If the edge goes the long way, add a vertex. */
  | 'edge-short-way'
  /** A planned time has seconds, but plans have minutes only. The seconds are left out. | Plan in whole minutes. */
  | 'plan-seconds'
  /** Values that mean "unknown" are left out, such as a speed of 65535 or an altitude of -32768. | Nothing to do. */
  | 'value-unknown'
  /** A cell or element is not a number, or not true or false. It is left out. | Correct the value. */
  | 'number-invalid'
  /** A time does not have the expected form. The fix is left out. | Correct the time, or pass `timeFormat`. */
  | 'time-invalid'
  /** Points of a GPX track have no time. They are left out of its fixes. | Nothing to do if the track is a drawn line. */
  | 'time-missing'
  /** Times without a time zone are not read. | Give the zone: `timeZone`, `--time-zone Europe/Berlin`. */
  | 'time-zone-missing'
  /** An assumption about the table is not certain. | Read the message. `wayzone inspect` names an option that changes each assumption. */
  | 'table-assumed'
  /** The encoding of the file is unclear. | Give it: `encoding`, `--encoding windows-1251`. */
  | 'encoding-unknown'
  /** No header names the columns of time and position, or several columns are possible. | Name them: `columns`, `--columns unit,time,lat,lon,speed`. */
  | 'columns-unknown'
  /** Rows have more cells than the header. Decimal commas may have divided numbers. | Save the table with another delimiter. */
  | 'cells-more-than-header'
  /** The dates of a column do not show whether day or month comes first. | Give the order: `dateOrder`, `--date-order mdy`. */
  | 'date-order-unknown'
  /** Times have no date. | Give the day: `date`, `--date 2026-03-20`. */
  | 'date-missing'
  /** A column has times in several numeric forms, or in another form than its header says. | Correct the column. */
  | 'time-format-unknown'
  /** A local time does not exist, because the clock change skips it. The row is left out. | Check the time zone. */
  | 'time-skipped'
  /** A local time occurs twice because of a clock change. The order of the rows decides. | Export times with their offset. */
  | 'time-doubled'
  /** Positions are not degrees, and several forms are possible. | Give the form: `coordinates`, `--coordinates ddmm`. */
  | 'coordinate-form-unknown'
  /** The unit of the odometer is unknown. Its values are left out. | Give the unit: `mileageUnit`, `--mileage-unit km`. */
  | 'mileage-unit'
  /** The unit of the radii is unknown. | Give the unit: `radiusUnit`, `--radius-unit km`. */
  | 'radius-unit-unknown'
  /** A spreadsheet program rounded long numbers (3.52094E+14). Units or times are lost. | Save the column as text, with all digits. */
  | 'digits-lost'
  /** The table contains zones instead of fixes, or fixes instead of zones. | Check which file was given. `table.kind` overrides the kind. */
  | 'table-kind'
  /** The rows cannot belong to one unit. One column divides them into plausible tracks. | Name the column: `--unit-column`. */
  | 'unit-column-unknown'
  /** A plan names a zone that is in no file. Its trip is left out. | Give the file of the zone, or correct the name. */
  | 'zone-unknown'
  /** A plan names a zone by a name that several zones have. Its trip is left out. | Use the id of the zone. */
  | 'zone-ambiguous'
  /** The table lacks columns of the profile. | Check the file, or give another profile. */
  | 'profile-mismatch'
  /** The program that wrote the rows marked them as invalid. They are left out. | Nothing to do. */
  | 'row-invalid'
  /** A time is a leap second. It is read as the millisecond before. | Nothing to do. */
  | 'leap-second'
  // The command line
  /** A file cannot be opened or read. | Check the path and the rights. */
  | 'file-unreadable'
  /** No reader knows the ending of the file name. | Rename the file. */
  | 'format-unknown'
  /** A `.gz` file cannot be inflated. | Copy the file again. */
  | 'gzip-invalid'
  /** The file contains no zones. | Check which file was given. */
  | 'no-zones'
  /** The file contains no tracks. | Check which file was given. */
  | 'no-tracks'
  /** The file contains no trips. | Check which file was given. */
  | 'no-trips'
  /** No trip has a run on the requested days. | Check `--date` and the dates of the trips. */
  | 'no-runs'
  /** The file contains no tracks or points. | Check which file was given. */
  | 'no-positions'
  /** Lines and polygons in a file of positions are left out. | Nothing to do if only points are wanted. */
  | 'not-a-position'
  /** The zone is not a line, so it has no corridor. It is left out. | Nothing to do if only lines are wanted. */
  | 'not-a-line'
  /** The zone is marked deleted and left out. | Nothing to do. */
  | 'zone-deleted'
  /** The trip is marked deleted and left out. | Nothing to do. */
  | 'trip-deleted'
  /** The format has no groups. They are left out. | Convert to KML or KMZ to keep the groups. */
  | 'groups-left-out'
  /** The track is written as a line, without times and speeds. | Convert to GPX to keep them. */
  | 'track-as-line'
  /** The route is written as a line, without the names and types of its points. | Convert to KML, GeoJSON or GPX to keep them. */
  | 'route-as-line';

/** Reason why a fix is left out of a track. `Track.rejected` and trackers count fixes by reason. */
export type RejectReason =
  // Tracks
  /** The fix has no usable time or position, or has `valid: false`. | Check the messages of the unit. */
  | 'invalid'
  /** The time is before `earliestTime`, after `latestTime`, after the time of reading, or days from all other times. | Check the clock of the unit. `rolloverWindow` corrects times that are 1024 weeks early. */
  | 'time-implausible'
  /** The position is exactly 0, 0. Units without reception send it. | Pass `keepZeroIsland` for a fleet in the Gulf of Guinea. */
  | 'zero-island'
  /** Another fix has the same time. The more accurate fix stays. | Nothing to do. */
  | 'duplicate'
  /** The fix is less accurate than `maxAccuracyMeters`. | Nothing to do, or raise the option. */
  | 'accuracy'
  /** The fix has fewer satellites than `minSatellites`. | Nothing to do, or lower the option. */
  | 'satellites'
  /** A single fix is faster than `maxSpeedKph` from the last good fix. | Raise the option for faster vehicles. */
  | 'speed'
  /** Several successive fixes are faster than `maxSpeedKph` from the last good fix, until a fix returned. The receiver was jammed. | Raise the option for faster vehicles. */
  | 'jammed'
  /** The position stayed exactly the same, although speed or mileage shows that the unit drove. The receiver was frozen. | Check the receiver. See `frozenSpeedKph`. */
  | 'frozen'
  // Trips
  /** The fix belongs to a unit that is not in charge of the run. | Nothing to do, or hand the run over with `handOver`. */
  | 'other-unit';
