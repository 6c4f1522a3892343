CREATE INDEX callers_by_definition ON callers (definition_id)
;
CREATE INDEX definitions_but_methods ON definitions (symbol_id)
;
CREATE INDEX definitions_by_form ON definitions (file_id, start_offset)
;
CREATE INDEX definitions_by_search_id ON definitions (search_id, symbol_id)
;
CREATE INDEX definitions_by_symbol ON definitions (symbol_id)
;
CREATE INDEX dependents_by_system ON system_dependencies (target_id)
;
CREATE INDEX exported_in_order ON symbols (name, package_id, type, folded)
;
CREATE INDEX methods_by_specializer ON method_specializers (symbol_id)
;
CREATE INDEX never_returning ON signatures (result_types)
;
CREATE INDEX packages_by_name ON packages (name)
;
CREATE INDEX packages_by_system ON packages (system_id)
;
CREATE INDEX presences_by_package ON presences (package_id, status)
;
CREATE INDEX release_names_by_release ON release_names (release_id)
;
CREATE INDEX release_problems_by_release ON release_problems (release_id)
;
CREATE INDEX release_systems_by_name ON release_systems (name)
;
CREATE INDEX release_uses_by_release ON release_uses (release_id, package, uses)
;
CREATE INDEX releases_by_name ON releases (name)
;
CREATE INDEX signatures_by_arguments ON signatures (least_arguments, most_arguments)
;
CREATE INDEX slots_by_accessor ON slot_accessors (symbol_id)
;
CREATE INDEX slots_by_name ON slots (name)
;
CREATE INDEX subclasses_by_superclass ON class_superclasses (symbol_id)
;
CREATE INDEX symbols_by_name ON symbols (name)
;
CREATE INDEX symbols_by_package ON symbols (package_id, exported, name, type)
;
CREATE INDEX users_by_package ON package_uses (used_id)
;
CREATE INDEX using_symbols_by_symbol ON using_symbols (symbol_id)
;
CREATE TABLE 'definitions_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID
;
CREATE TABLE 'definitions_fts_data'(id INTEGER PRIMARY KEY, block BLOB)
;
CREATE TABLE 'definitions_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB)
;
CREATE TABLE 'definitions_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID
;
CREATE TABLE 'exported_names_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID
;
CREATE TABLE 'exported_names_fts_data'(id INTEGER PRIMARY KEY, block BLOB)
;
CREATE TABLE 'exported_names_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB)
;
CREATE TABLE 'exported_names_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID
;
CREATE TABLE 'releases_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID
;
CREATE TABLE 'releases_fts_data'(id INTEGER PRIMARY KEY, block BLOB)
;
CREATE TABLE 'releases_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB)
;
CREATE TABLE 'releases_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID
;
CREATE TABLE 'signatures_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID
;
CREATE TABLE 'signatures_fts_data'(id INTEGER PRIMARY KEY, block BLOB)
;
CREATE TABLE 'signatures_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB)
;
CREATE TABLE 'signatures_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID
;
CREATE TABLE 'symbols_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID
;
CREATE TABLE 'symbols_fts_data'(id INTEGER PRIMARY KEY, block BLOB)
;
CREATE TABLE 'symbols_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB)
;
CREATE TABLE 'symbols_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID
;
CREATE TABLE callers (
	id INTEGER NOT NULL, 
	definition_id INTEGER, 
	name TEXT, 
	file_id INTEGER, 
	toplevel_form INTEGER, 
	PRIMARY KEY (id), 
	FOREIGN KEY(definition_id) REFERENCES definitions (id), 
	FOREIGN KEY(file_id) REFERENCES source_files (id)
)
;
CREATE TABLE class_precedence (
	class_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	symbol_id INTEGER NOT NULL, 
	PRIMARY KEY (class_id, position), 
	FOREIGN KEY(class_id) REFERENCES definitions (id), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id)
)
 WITHOUT ROWID


;
CREATE TABLE class_superclasses (
	class_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	symbol_id INTEGER NOT NULL, 
	PRIMARY KEY (class_id, position), 
	FOREIGN KEY(class_id) REFERENCES definitions (id), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id)
)
 WITHOUT ROWID


;
CREATE TABLE classes (
	class_id INTEGER NOT NULL, 
	metaclass_id INTEGER, 
	finalized INTEGER NOT NULL, 
	representation TEXT, 
	accessor_prefix TEXT, 
	PRIMARY KEY (class_id), 
	FOREIGN KEY(class_id) REFERENCES definitions (id), 
	FOREIGN KEY(metaclass_id) REFERENCES symbols (id)
)
;
CREATE TABLE components (
	system TEXT NOT NULL, 
	path TEXT NOT NULL, 
	state TEXT NOT NULL, 
	feature TEXT
)
;
CREATE TABLE default_initargs (
	class_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	initarg TEXT NOT NULL, 
	form TEXT NOT NULL, 
	PRIMARY KEY (class_id, position), 
	FOREIGN KEY(class_id) REFERENCES definitions (id)
)
 WITHOUT ROWID


;
CREATE TABLE definitions (
	id INTEGER NOT NULL, 
	symbol_id INTEGER, 
	package_id INTEGER, 
	kind TEXT NOT NULL, 
	operator TEXT, 
	qualifiers TEXT, 
	specializers TEXT, 
	arglist TEXT, 
	ftype TEXT, 
	documentation TEXT, 
	value TEXT, 
	deprecated TEXT, 
	deprecated_since TEXT, 
	replacement TEXT, 
	file_id INTEGER, 
	toplevel_form INTEGER, 
	form_number INTEGER, 
	toplevel_offset INTEGER, 
	start_line INTEGER, 
	start_column INTEGER, 
	start_offset INTEGER, 
	end_offset INTEGER, 
	end_line INTEGER, 
	defined_by TEXT, 
	words TEXT, 
	callers_count INTEGER NOT NULL, 
	search_id INTEGER NOT NULL, 
	called TEXT, 
	about TEXT, 
	PRIMARY KEY (id), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id), 
	FOREIGN KEY(package_id) REFERENCES packages (id), 
	FOREIGN KEY(kind) REFERENCES kinds (kind), 
	FOREIGN KEY(file_id) REFERENCES source_files (id)
)
;
CREATE TABLE descriptions (
	table_name TEXT NOT NULL, 
	column_name TEXT NOT NULL, 
	description TEXT NOT NULL, 
	PRIMARY KEY (table_name, column_name)
)
;
CREATE TABLE documentation (
	symbol_id INTEGER NOT NULL, 
	type TEXT NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (symbol_id, type), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id)
)
;
CREATE TABLE expansions (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	PRIMARY KEY (id)
)
;
CREATE TABLE kinds (
	kind TEXT NOT NULL, 
	documentation_type TEXT, 
	description TEXT, 
	PRIMARY KEY (kind)
)
;
CREATE TABLE meta (
	name TEXT NOT NULL, 
	value TEXT, 
	PRIMARY KEY (name)
)
;
CREATE TABLE method_specializers (
	definition_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	symbol_id INTEGER, 
	eql TEXT, 
	eql_class_id INTEGER, 
	PRIMARY KEY (definition_id, position), 
	FOREIGN KEY(definition_id) REFERENCES definitions (id), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id), 
	FOREIGN KEY(eql_class_id) REFERENCES symbols (id)
)
 WITHOUT ROWID


;
CREATE TABLE package_local_nicknames (
	package_id INTEGER NOT NULL, 
	nickname TEXT NOT NULL, 
	target_id INTEGER NOT NULL, 
	PRIMARY KEY (package_id, nickname), 
	FOREIGN KEY(package_id) REFERENCES packages (id), 
	FOREIGN KEY(target_id) REFERENCES packages (id)
)
;
CREATE TABLE package_nicknames (
	nickname TEXT NOT NULL, 
	package_id INTEGER NOT NULL, 
	PRIMARY KEY (nickname, package_id), 
	FOREIGN KEY(package_id) REFERENCES packages (id)
)
;
CREATE TABLE package_shadowing (
	package_id INTEGER NOT NULL, 
	symbol_id INTEGER NOT NULL, 
	PRIMARY KEY (package_id, symbol_id), 
	FOREIGN KEY(package_id) REFERENCES packages (id), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id)
)
;
CREATE TABLE package_uses (
	package_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	used_id INTEGER NOT NULL, 
	PRIMARY KEY (package_id, used_id), 
	FOREIGN KEY(package_id) REFERENCES packages (id), 
	FOREIGN KEY(used_id) REFERENCES packages (id)
)
;
CREATE TABLE packages (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	documentation TEXT, 
	locked INTEGER NOT NULL, 
	system_id INTEGER, 
	PRIMARY KEY (id), 
	FOREIGN KEY(system_id) REFERENCES systems (id)
)
;
CREATE TABLE presences (
	symbol_id INTEGER NOT NULL, 
	package_id INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	PRIMARY KEY (symbol_id, package_id), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id), 
	FOREIGN KEY(package_id) REFERENCES packages (id)
)
 WITHOUT ROWID


;
CREATE TABLE problems (
	id INTEGER NOT NULL, 
	stage TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	part TEXT NOT NULL, 
	condition TEXT NOT NULL, 
	message TEXT NOT NULL, 
	path TEXT, 
	line INTEGER, 
	PRIMARY KEY (id)
)
;
CREATE TABLE relations (
	id INTEGER NOT NULL, 
	relation TEXT NOT NULL, 
	PRIMARY KEY (id)
)
;
CREATE TABLE release_names (
	name TEXT NOT NULL, 
	release_id INTEGER NOT NULL, 
	package TEXT NOT NULL, 
	type TEXT NOT NULL, 
	status TEXT NOT NULL, 
	PRIMARY KEY (name, release_id, package), 
	FOREIGN KEY(release_id) REFERENCES releases (id)
)
 WITHOUT ROWID


;
CREATE TABLE release_problems (
	release_id INTEGER NOT NULL, 
	subject TEXT NOT NULL, 
	message TEXT NOT NULL, 
	FOREIGN KEY(release_id) REFERENCES releases (id)
)
;
CREATE TABLE release_systems (
	release_id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	version TEXT, 
	state TEXT NOT NULL, 
	PRIMARY KEY (release_id, name), 
	FOREIGN KEY(release_id) REFERENCES releases (id)
)
;
CREATE TABLE release_uses (
	release_id INTEGER NOT NULL, 
	package TEXT NOT NULL, 
	name TEXT NOT NULL, 
	uses INTEGER NOT NULL, 
	PRIMARY KEY (package, name, release_id), 
	FOREIGN KEY(release_id) REFERENCES releases (id)
)
 WITHOUT ROWID


;
CREATE TABLE releases (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	version TEXT, 
	newest INTEGER NOT NULL, 
	state TEXT NOT NULL, 
	place TEXT NOT NULL, 
	root TEXT, 
	slice TEXT, 
	"key" TEXT NOT NULL, 
	seconds TEXT, 
	packages INTEGER NOT NULL, 
	symbols INTEGER NOT NULL, 
	exports INTEGER NOT NULL, 
	definitions INTEGER NOT NULL, 
	called TEXT NOT NULL, 
	about TEXT, 
	PRIMARY KEY (id)
)
;
CREATE TABLE roots (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	path TEXT NOT NULL, 
	system_id INTEGER, 
	PRIMARY KEY (id), 
	FOREIGN KEY(system_id) REFERENCES systems (id)
)
;
CREATE TABLE short_patterns (
	pattern TEXT NOT NULL, 
	total INTEGER NOT NULL, 
	symbols TEXT, 
	PRIMARY KEY (pattern)
)
 WITHOUT ROWID


;
CREATE TABLE signatures (
	id INTEGER NOT NULL, 
	argument_types TEXT, 
	result_types TEXT, 
	least_arguments INTEGER NOT NULL, 
	most_arguments INTEGER, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES definitions (id)
)
;
CREATE TABLE slot_accessors (
	class_id INTEGER NOT NULL, 
	slot INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	role TEXT NOT NULL, 
	symbol_id INTEGER NOT NULL, 
	operator TEXT, 
	PRIMARY KEY (class_id, slot, position), 
	FOREIGN KEY(class_id) REFERENCES definitions (id), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id)
)
 WITHOUT ROWID


;
CREATE TABLE slots (
	class_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	symbol_id INTEGER, 
	type TEXT, 
	allocation TEXT NOT NULL, 
	initform TEXT, 
	documentation TEXT, 
	read_only INTEGER NOT NULL, 
	initargs TEXT, 
	PRIMARY KEY (class_id, position), 
	FOREIGN KEY(class_id) REFERENCES definitions (id), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id)
)
 WITHOUT ROWID


;
CREATE TABLE source_files (
	id INTEGER NOT NULL, 
	recorded TEXT NOT NULL, 
	path TEXT, 
	sha256 TEXT, 
	size INTEGER, 
	root_id INTEGER, 
	relative_path TEXT, 
	system_id INTEGER, 
	PRIMARY KEY (id), 
	FOREIGN KEY(root_id) REFERENCES roots (id), 
	FOREIGN KEY(system_id) REFERENCES systems (id)
)
;
CREATE TABLE source_lines (
	file_id INTEGER NOT NULL, 
	line INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (file_id, line), 
	FOREIGN KEY(file_id) REFERENCES source_files (id)
)
 WITHOUT ROWID


;
CREATE TABLE structure_functions (
	class_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	role TEXT NOT NULL, 
	by_position INTEGER NOT NULL, 
	symbol_id INTEGER NOT NULL, 
	PRIMARY KEY (class_id, position), 
	FOREIGN KEY(class_id) REFERENCES definitions (id), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id)
)
 WITHOUT ROWID


;
CREATE TABLE symbol_references (
	id INTEGER NOT NULL, 
	relation_id INTEGER NOT NULL, 
	callee_id INTEGER NOT NULL, 
	callee_operator TEXT, 
	caller_id INTEGER NOT NULL, 
	form_number INTEGER, 
	line INTEGER, 
	start_column INTEGER, 
	length INTEGER, 
	expansion_id INTEGER, 
	text_relation_id INTEGER, 
	PRIMARY KEY (id), 
	FOREIGN KEY(relation_id) REFERENCES relations (id), 
	FOREIGN KEY(callee_id) REFERENCES symbols (id), 
	FOREIGN KEY(caller_id) REFERENCES callers (id), 
	FOREIGN KEY(expansion_id) REFERENCES expansions (id), 
	FOREIGN KEY(text_relation_id) REFERENCES relations (id)
)
;
CREATE TABLE symbols (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	package_id INTEGER, 
	folded TEXT NOT NULL, 
	type TEXT NOT NULL, 
	exported INTEGER NOT NULL, 
	search_rank INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(package_id) REFERENCES packages (id)
)
;
CREATE TABLE system_dependencies (
	system_id INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	relation TEXT NOT NULL, 
	name TEXT NOT NULL, 
	target_id INTEGER, 
	PRIMARY KEY (system_id, position), 
	FOREIGN KEY(system_id) REFERENCES systems (id), 
	FOREIGN KEY(target_id) REFERENCES systems (id)
)
;
CREATE TABLE systems (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	asked INTEGER, 
	version TEXT, 
	licence TEXT, 
	author TEXT, 
	description TEXT, 
	definition_path TEXT, 
	PRIMARY KEY (id)
)
;
CREATE TABLE unread_text (
	file_id INTEGER NOT NULL, 
	line INTEGER NOT NULL, 
	end_line INTEGER NOT NULL, 
	FOREIGN KEY(file_id) REFERENCES source_files (id)
)
;
CREATE TABLE used_symbols (
	symbol_id INTEGER NOT NULL, 
	operator TEXT, 
	relation_id INTEGER, 
	first_id INTEGER NOT NULL, 
	last_id INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	callers INTEGER NOT NULL, 
	code_callers INTEGER, 
	PRIMARY KEY (symbol_id, first_id, last_id), 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id), 
	FOREIGN KEY(relation_id) REFERENCES relations (id)
)
 WITHOUT ROWID


;
CREATE TABLE using_symbols (
	symbol_id INTEGER NOT NULL, 
	operator TEXT, 
	relation_id INTEGER, 
	total INTEGER NOT NULL, 
	callees INTEGER NOT NULL, 
	uses TEXT, 
	FOREIGN KEY(symbol_id) REFERENCES symbols (id), 
	FOREIGN KEY(relation_id) REFERENCES relations (id)
)
;
CREATE VIEW biggest_classes AS SELECT packages.name AS package, symbols.name AS symbol, definitions.kind,
       (SELECT count(*) FROM slots WHERE slots.class_id = definitions.id) AS slots,
       (SELECT count(*) FROM class_superclasses
        WHERE class_superclasses.symbol_id = definitions.symbol_id) AS subclasses
FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
WHERE definitions.kind IN ('class', 'structure', 'condition')
ORDER BY slots DESC, symbols.name
;
CREATE VIEW exported_names AS SELECT id, name, folded, package_id, type, (search_rank >> 21 << 26 | id) AS search_id
FROM symbols WHERE exported
;
CREATE VIEW exported_symbols AS SELECT packages.name AS package, symbols.name AS symbol, symbols.type AS type, symbols.id AS symbol_id
FROM presences
JOIN packages ON packages.id = presences.package_id
JOIN symbols ON symbols.id = presences.symbol_id
WHERE presences.status = 'external'
;
CREATE VIEW most_called AS SELECT packages.name AS package, symbols.name AS symbol, definitions.kind,
       definitions.callers_count AS callers
FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id
LEFT JOIN packages ON packages.id = symbols.package_id
WHERE definitions.callers_count > 0
ORDER BY definitions.callers_count DESC, symbols.name
;
CREATE VIEW named_references AS SELECT relations.relation, symbols.name AS callee, symbol_references.callee_operator,
       coalesce(caller_symbols.name, callers.name) AS caller, definitions.kind AS caller_kind,
       source_files.recorded AS file, callers.toplevel_form, symbol_references.form_number
FROM symbol_references
JOIN relations ON relations.id = symbol_references.relation_id
JOIN symbols ON symbols.id = symbol_references.callee_id
JOIN callers ON callers.id = symbol_references.caller_id
LEFT JOIN definitions ON definitions.id = callers.definition_id
LEFT JOIN symbols AS caller_symbols ON caller_symbols.id = definitions.symbol_id
LEFT JOIN source_files ON source_files.id = callers.file_id
;
CREATE VIEW undocumented_exports AS SELECT exported_symbols.package, exported_symbols.symbol, definitions.kind
FROM exported_symbols
JOIN definitions ON definitions.symbol_id = exported_symbols.symbol_id
JOIN kinds ON kinds.kind = definitions.kind
WHERE kinds.documentation_type IS NOT NULL AND definitions.documentation IS NULL
  AND exported_symbols.package <> 'KEYWORD'
;
CREATE VIEW unused_internals AS SELECT packages.name AS package, symbols.name AS symbol, definitions.kind, systems.name AS system
FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id
JOIN packages ON packages.id = symbols.package_id
LEFT JOIN systems ON systems.id = packages.system_id
WHERE definitions.kind IN ('function', 'macro') AND definitions.defined_by IS NOT 'defstruct'
  AND NOT symbols.exported
  AND NOT EXISTS (SELECT 1 FROM meta WHERE name = 'left_out' AND instr(value, '"references"'))
  AND NOT EXISTS (SELECT 1 FROM used_symbols JOIN relations ON relations.id = relation_id
                  WHERE symbol_id = symbols.id
                    AND relation NOT IN ('defines', 'declares', 'exports', 'imports'))
;
CREATE VIRTUAL TABLE definitions_fts USING fts5(words, arglist, documentation, called, about, tokenize='porter unicode61', content='definitions', content_rowid='id')
;
CREATE VIRTUAL TABLE exported_names_fts USING fts5(folded, tokenize='trigram case_sensitive 1', content='exported_names', content_rowid='id')
;
CREATE VIRTUAL TABLE releases_fts USING fts5(called, about, tokenize='porter unicode61', content='releases', content_rowid='id')
;
CREATE VIRTUAL TABLE signatures_fts USING fts5(argument_types, result_types, tokenize='unicode61 tokenchars ''!$%&*+-./:<=>?@[\]^_{|}~''', content='signatures', content_rowid='id')
;
CREATE VIRTUAL TABLE symbols_fts USING fts5(folded, tokenize='trigram case_sensitive 1', content='symbols', content_rowid='id')
;
