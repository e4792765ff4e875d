//! A schema as JSON, with the feature `json`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use super::check::check;
use super::error::{Place, SchemaError};
use super::field::{End, Field, FieldForm, ReverseTime, Unit, World};
use super::model::{DigestPart, KeyPrefix, Record, Schema};
use super::parse::{DEPTH, is_name, other_layout};
use super::print::{Fingerprint, set_chars};
use super::ty::Type;
use super::words;

impl Schema {
    /// Returns the schema as JSON, its fingerprint among the members.
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let schema = Schema::parse("row key Visit\nuser: text, escaped\nat: u64, time ms\n")?;
    /// let json = schema.to_json();
    /// assert!(json.contains(r#""type": "u64""#));
    /// assert_eq!(Schema::from_json(&json)?, schema);
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut all = Map::new();
        all.insert("key".into(), json!(self.name));
        put(&mut all, "table", self.table.clone());
        put(&mut all, "version", self.version);
        if let Some(lead) = lead_json(&self.lead) {
            all.insert("lead".into(), lead);
        }
        all.insert("fields".into(), fields_json(&self.fields));
        if !self.records.is_empty() {
            let records = self.records.iter().map(|record| {
                json!({ "name": record.name, "tag": record.tag, "fields": fields_json(&record.fields) })
            });
            all.insert("records".into(), records.collect());
            all.insert("tag_width".into(), json!(self.tag_width));
        }
        let fingerprint = Fingerprint(self.fingerprint()).to_string();
        all.insert("fingerprint".into(), json!(fingerprint));
        format!("{:#}", Value::Object(all))
    }

    /// Returns the schema that a JSON text says.
    ///
    /// # Errors
    /// When the text is no JSON or not of the shape that [`to_json`](Self::to_json) writes, when no key
    /// could have this layout, or when the fingerprint is that of another layout.
    ///
    /// ```
    /// use tallrow_codec::schema::Schema;
    ///
    /// let schema = Schema::from_json(r#"{"key": "Visit", "fields": [{"name": "at", "type": "u64", "floor": 60}]}"#)?;
    /// assert!(schema.to_string().starts_with("row key Visit\nat: u64, floor 60\n"));
    ///
    /// let error = Schema::from_json(r#"{"key": "Visit", "fields": [{"name": "at"}]}"#).unwrap_err();
    /// assert_eq!(error.to_string(), "read a schema: fields[0].type: it is missing");
    /// # Ok::<(), tallrow_codec::schema::SchemaError>(())
    /// ```
    pub fn from_json(json: &str) -> Result<Self, SchemaError> {
        let value: Value =
            serde_json::from_str(json).map_err(|error| wrong("", error.to_string()))?;
        let mut all = Object::new(value, String::new())?;
        let mut items = Vec::from([String::from("lead")]);
        let name = all.text("key")?.ok_or_else(|| all.missing("key"))?;
        let table = all.text("table")?;
        if let Some(line) =
            [Some(&name), table.as_ref()].into_iter().flatten().find(|t| t.contains(['\n', '\r']))
        {
            return Err(wrong("", format!("{line:?} is no name: it has a line end")));
        }
        let version = all.number("version")?;
        let lead = match all.object("lead")? {
            Some(lead) => read_key_prefix(lead)?,
            None => KeyPrefix::None,
        };
        let fields = read_fields(&mut all, &mut items, 0)?;
        let tag_width = all.number("tag_width")?.unwrap_or(1);
        let mut records = Vec::new();
        for mut record in all.objects("records")? {
            items.push(record.path.clone());
            let name = record.name()?;
            let tag = record.number("tag")?.ok_or_else(|| record.missing("tag"))?;
            let fields = read_fields(&mut record, &mut items, 0)?;
            record.end()?;
            records.push(Record { name, tag, fields });
        }
        let given = all.text("fingerprint")?;
        all.end()?;
        let schema = Self { name, table, version, lead, fields, records, tag_width };
        if let Err((item, message)) = check(&schema) {
            return Err(wrong(items.get(item).map_or("", String::as_str), message));
        }
        let own = Fingerprint(schema.fingerprint()).to_string();
        match given {
            Some(given) if given != own => Err(wrong("fingerprint", other_layout(&given, &own))),
            _ => Ok(schema),
        }
    }
}

fn put<T: Into<Value>>(object: &mut Map<String, Value>, name: &str, value: Option<T>) {
    if let Some(value) = value {
        object.insert(name.into(), value.into());
    }
}

fn flag(set: bool) -> Option<bool> {
    set.then_some(true)
}

fn lead_json(lead: &KeyPrefix) -> Option<Value> {
    Some(match lead {
        KeyPrefix::None => return None,
        KeyPrefix::Salt { buckets, first, width, hash, of } => json!({
            "salt": hash.word(), "buckets": buckets, "first": first, "width": width, "of": of
        }),
        KeyPrefix::RandomSalt { buckets, first, width } => {
            json!({ "salt": "random", "buckets": buckets, "first": first, "width": width })
        }
        KeyPrefix::HashPrefix { digest, sep, of } => {
            let mut object = Map::new();
            object.insert("md5".into(), digest_json(*digest));
            put(&mut object, "sep", *sep);
            object.insert("of".into(), json!(of));
            Value::Object(object)
        }
    })
}

fn digest_json(digest: DigestPart) -> Value {
    if digest.hex { json!({ "hex": digest.len }) } else { json!({ "bytes": digest.len }) }
}

fn fields_json(fields: &[Field]) -> Value {
    let one = |field: &Field| {
        let FieldForm {
            world,
            md5,
            stamp,
            end,
            chars,
            digits,
            twos_complement,
            floor,
            reversed,
            marked,
            descending,
            time,
        } = &field.form;
        let mut object = Map::new();
        object.insert("name".into(), json!(field.name));
        object.insert("type".into(), json!(field.ty.to_string()));
        if let Type::Key(inner) = field.ty.innermost() {
            object.insert("fields".into(), fields_json(inner));
        }
        put(&mut object, "as", world.map(World::word));
        put(&mut object, "md5", md5.map(digest_json));
        put(&mut object, "timestamp", stamp.map(stamp_word));
        match end {
            End::Native => {}
            End::Escaped => put(&mut object, "escaped", Some(true)),
            End::Byte(byte) => put(&mut object, "end", Some(*byte)),
            End::Width { width, pad } => {
                put(&mut object, "width", Some(*width));
                put(&mut object, "pad", Some(*pad));
            }
        }
        let chars = chars.map(|set| set_chars(set).into_iter().map(char::from).collect::<String>());
        put(&mut object, "chars", chars);
        put(&mut object, "digits", *digits);
        put(&mut object, "twos_complement", flag(*twos_complement));
        put(&mut object, "floor", *floor);
        put(&mut object, "reversed", flag(*reversed));
        put(&mut object, "marked", flag(*marked));
        put(&mut object, "descending", flag(*descending));
        put(&mut object, "time", time.map(Unit::word));
        Value::Object(object)
    };
    fields.iter().map(one).collect()
}

fn stamp_word(stamp: ReverseTime) -> &'static str {
    match stamp {
        ReverseTime::Reverse => "reverse",
        ReverseTime::Inverted => "inverted",
    }
}

fn wrong(path: &str, message: impl Into<String>) -> SchemaError {
    SchemaError { place: Place::Json(path.to_string()), message: message.into() }
}

/// The members of an object that are not read yet, and the way to it.
struct Object {
    members: Map<String, Value>,
    path: String,
}

impl Object {
    fn new(value: Value, path: String) -> Result<Self, SchemaError> {
        match value {
            Value::Object(members) => Ok(Self { members, path }),
            _ => Err(wrong(&path, "an object is expected")),
        }
    }

    fn way(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_string() } else { format!("{}.{name}", self.path) }
    }

    fn missing(&self, name: &str) -> SchemaError {
        wrong(&self.way(name), "it is missing")
    }

    fn read<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl FnOnce(Value) -> Option<T>,
    ) -> Result<Option<T>, SchemaError> {
        let Some(value) = self.members.remove(name) else { return Ok(None) };
        match read(value) {
            Some(value) => Ok(Some(value)),
            None => Err(wrong(&self.way(name), format!("{expected} is expected"))),
        }
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, SchemaError> {
        self.read(name, "a text", |value| match value {
            Value::String(text) => Some(text),
            _ => None,
        })
    }

    fn number<T: TryFrom<u64>>(&mut self, name: &str) -> Result<Option<T>, SchemaError> {
        self.read(name, "a number that fits here", |value| value.as_u64()?.try_into().ok())
    }

    fn flag(&mut self, name: &str) -> Result<bool, SchemaError> {
        self.read(name, "true or false", |value| value.as_bool()).map(Option::unwrap_or_default)
    }

    fn object(&mut self, name: &str) -> Result<Option<Self>, SchemaError> {
        let path = self.way(name);
        self.members.remove(name).map(|value| Self::new(value, path)).transpose()
    }

    fn list(&mut self, name: &str) -> Result<Vec<Value>, SchemaError> {
        let list = self.read(name, "a list", |value| match value {
            Value::Array(list) => Some(list),
            _ => None,
        });
        list.map(Option::unwrap_or_default)
    }

    fn objects(&mut self, name: &str) -> Result<Vec<Self>, SchemaError> {
        let way = self.way(name);
        let list = self.list(name)?.into_iter().enumerate();
        list.map(|(at, value)| Self::new(value, format!("{way}[{at}]"))).collect()
    }

    fn name(&mut self) -> Result<String, SchemaError> {
        let name = self.text("name")?.ok_or_else(|| self.missing("name"))?;
        if is_name(&name) {
            return Ok(name);
        }
        Err(wrong(&self.way("name"), format!("{name:?} is no name: letters, digits and _")))
    }

    /// Refuses members that were not read: they would be lost.
    fn end(self) -> Result<(), SchemaError> {
        match self.members.keys().next() {
            Some(name) => Err(wrong(&self.way(name), "no schema has such a member here")),
            None => Ok(()),
        }
    }
}

fn read_key_prefix(mut lead: Object) -> Result<KeyPrefix, SchemaError> {
    let of = lead.list("of")?.into_iter().map(|name| match name {
        Value::String(name) => Ok(name),
        _ => Err(wrong("lead.of", "names of fields are expected")),
    });
    let of: Vec<String> = of.collect::<Result<_, _>>()?;
    let found = match lead.text("salt")? {
        Some(word) => {
            let buckets = lead.number("buckets")?.ok_or_else(|| lead.missing("buckets"))?;
            let first = lead.number("first")?.unwrap_or(0);
            let width = lead.number("width")?.unwrap_or(1);
            match word.as_str() {
                "random" if of.is_empty() => KeyPrefix::RandomSalt { buckets, first, width },
                "random" => return Err(wrong("lead.of", "a random salt is of no fields")),
                _ => {
                    let hash = words::salt_function(&word)
                        .map_err(|message| wrong("lead.salt", message))?;
                    KeyPrefix::Salt { buckets, first, width, hash, of }
                }
            }
        }
        None => {
            let digest = lead.object("md5")?.ok_or_else(|| lead.missing("salt"))?;
            KeyPrefix::HashPrefix { digest: read_digest(digest)?, sep: lead.number("sep")?, of }
        }
    };
    if !matches!(found, KeyPrefix::RandomSalt { .. }) && found.of().is_empty() {
        return Err(lead.missing("of"));
    }
    lead.end()?;
    Ok(found)
}

fn read_digest(mut digest: Object) -> Result<DigestPart, SchemaError> {
    let part = match (digest.number("bytes")?, digest.number("hex")?) {
        (Some(len), None) => DigestPart { hex: false, len },
        (None, Some(len)) => DigestPart { hex: true, len },
        _ => return Err(wrong(&digest.path, "one of bytes and hex is expected")),
    };
    digest.end()?;
    Ok(part)
}

fn read_fields(
    owner: &mut Object,
    items: &mut Vec<String>,
    depth: usize,
) -> Result<Vec<Field>, SchemaError> {
    let mut fields = Vec::new();
    for mut object in owner.objects("fields")? {
        items.push(object.path.clone());
        let name = object.name()?;
        let word = object.text("type")?.ok_or_else(|| object.missing("type"))?;
        let mut ty = words::ty(&word).map_err(|message| wrong(&object.way("type"), message))?;
        if let Some(inner) = ty.inner_fields() {
            if depth == DEPTH {
                return Err(wrong(&object.path, format!("keys nest at most {DEPTH} deep")));
            }
            *inner = read_fields(&mut object, items, depth + 1)?;
        }
        let form = read_form(&mut object)?;
        object.end()?;
        fields.push(Field { name, ty, form });
    }
    Ok(fields)
}

fn read_form(object: &mut Object) -> Result<FieldForm, SchemaError> {
    let stamp = object.read("timestamp", "reverse or inverted", |value| match value.as_str() {
        Some("reverse") => Some(ReverseTime::Reverse),
        Some("inverted") => Some(ReverseTime::Inverted),
        _ => None,
    })?;
    let chars = object.read("chars", "a text of ASCII characters", |value| {
        value
            .as_str()?
            .chars()
            .try_fold(0_u128, |set, c| Some(set | 1 << u8::try_from(c).ok().filter(u8::is_ascii)?))
    })?;
    let time = object.read("time", "s, ms or us", |value| {
        Unit::ALL.into_iter().find(|unit| Some(unit.word()) == value.as_str())
    })?;
    let md5 = object.object("md5")?.map(read_digest).transpose()?;
    let world = object.read("as", "the name of other bytes, as Phoenix", |value| {
        World::ALL.into_iter().find(|world| Some(world.word()) == value.as_str())
    })?;
    Ok(FieldForm {
        world,
        md5,
        stamp,
        end: read_end(object)?,
        chars,
        digits: object.number("digits")?,
        twos_complement: object.flag("twos_complement")?,
        floor: object.number("floor")?,
        reversed: object.flag("reversed")?,
        marked: object.flag("marked")?,
        descending: object.flag("descending")?,
        time,
    })
}

fn read_end(object: &mut Object) -> Result<End, SchemaError> {
    let (escaped, end) = (object.flag("escaped")?, object.number("end")?);
    match (escaped, end, object.number("width")?) {
        (false, None, None) => Ok(End::Native),
        (true, None, None) => Ok(End::Escaped),
        (false, Some(byte), None) => Ok(End::Byte(byte)),
        (false, None, Some(width)) => {
            Ok(End::Width { width, pad: object.number("pad")?.unwrap_or(0) })
        }
        _ => Err(wrong(&object.path, "one of escaped, end and width is expected")),
    }
}
