# What a user types first in HBase's shell: `hbase shell -n steps.rb`. Output is compared without times and empty lines.

require 'stringio'

def step(name, *expected)
  out = $stdout
  $stdout = StringIO.new
  begin
    yield
  rescue StandardError, java.lang.Exception => e
    puts "ERROR: #{e.message}"
  ensure
    shown = $stdout.string
    $stdout = out
  end
  shown = shown.gsub(/Took [\d.]+ seconds */, '').gsub(/timestamp=[^,]+/, 'timestamp=T').gsub(/ +/, ' ')
  got = shown.split("\n").map(&:strip).reject(&:empty?)
  if expected.all? { |part| part.is_a?(Regexp) ? got.any? { |line| line =~ part } : got.include?(part) } &&
     (expected.any? { |part| part.is_a?(Regexp) } || got == expected)
    puts "ok    shell 2.4.17: #{name}"
  else
    puts "FAIL  shell 2.4.17: #{name}: expected #{expected.inspect}; got #{got.inspect}"
  end
  nil
end

# What an earlier run may have left.
def clear
  admin = @hbase.admin
  if admin.exists?('clients_shell')
    admin.disable('clients_shell') if admin.enabled?('clients_shell')
    admin.drop('clients_shell')
  end
  admin.delete_snapshot('clients_shell_snapshot') unless admin.list_snapshot('clients_shell_snapshot').empty?
  admin.drop_namespace('clients_space') unless admin.list_namespace('clients_space').empty?
end

clear

step('status', /^1 active master, \d backup masters, \d+ servers, \d+ dead, [\d.]+ average load$/) { status }
step('version', /^2\.4\./) { version }
step('whoami', /\(auth:SIMPLE\)/) { whoami }
step('create', 'Created table clients_shell') { create 'clients_shell', { NAME => 'f', VERSIONS => 3 }, 'g' }
step('create again', /^ERROR: Table already exists: clients_shell!/) { create 'clients_shell', 'f' }
step('list', 'TABLE', 'clients_shell', '1 row(s)') { list 'clients_shell' }
step('exists', 'Table clients_shell does exist') { exists 'clients_shell' }
step('is_enabled', 'true') { is_enabled 'clients_shell' }
step('describe', 'Table clients_shell is ENABLED', /NAME => 'f'.*VERSIONS => '3'/, /NAME => 'g'.*VERSIONS => '1'/) do
  describe 'clients_shell'
end
step('put') do
  put 'clients_shell', 'row1', 'f:a', 'value1'
  put 'clients_shell', 'row2', 'f:b', 'value2'
  put 'clients_shell', 'row3', 'g:c', "\x00\xFF", 17
  put 'clients_shell', 'r4', 'f:a', 'value4'
end
step('get', 'COLUMN CELL', 'f:a timestamp=T, value=value1', '1 row(s)') { get 'clients_shell', 'row1' }
step('get of a column', 'COLUMN CELL', 'g:c timestamp=T, value=\x00\xFF', '1 row(s)') { get 'clients_shell', 'row3', 'g:c' }
step('scan', 'ROW COLUMN+CELL', 'r4 column=f:a, timestamp=T, value=value4', 'row1 column=f:a, timestamp=T, value=value1',
     'row2 column=f:b, timestamp=T, value=value2', 'row3 column=g:c, timestamp=T, value=\x00\xFF', '4 row(s)') do
  scan 'clients_shell'
end
step('scan a range', 'ROW COLUMN+CELL', 'row2 column=f:b, timestamp=T, value=value2', '1 row(s)') do
  scan 'clients_shell', { STARTROW => 'row2', STOPROW => 'row3' }
end
step('scan a prefix with a limit', 'ROW COLUMN+CELL', 'row1 column=f:a, timestamp=T, value=value1', '1 row(s)') do
  scan 'clients_shell', { ROWPREFIXFILTER => 'row', LIMIT => 1 }
end
step('scan backwards, a column', 'ROW COLUMN+CELL', 'row1 column=f:a, timestamp=T, value=value1',
     'r4 column=f:a, timestamp=T, value=value4', '2 row(s)') do
  scan 'clients_shell', { REVERSED => true, COLUMNS => ['f:a'] }
end
step('scan with a filter', 'ROW COLUMN+CELL', 'row2 column=f:b, timestamp=T, value=value2', '1 row(s)') do
  scan 'clients_shell', { FILTER => "ValueFilter(=, 'substring:lue2') AND PrefixFilter('row')" }
end
step('count', '4 row(s)') { count 'clients_shell' }
step('incr, get_counter', 'COUNTER VALUE = 1', 'COUNTER VALUE = 11', 'COUNTER VALUE = 11') do
  incr 'clients_shell', 'counter', 'f:n'
  incr 'clients_shell', 'counter', 'f:n', 10
  get_counter 'clients_shell', 'counter', 'f:n'
end
step('append', 'CURRENT VALUE = value1more') { append 'clients_shell', 'row1', 'f:a', 'more' }
step('versions', 'COLUMN CELL', 'f:a timestamp=T, value=value1more', 'f:a timestamp=T, value=value1', '1 row(s)') do
  get 'clients_shell', 'row1', { COLUMN => 'f:a', VERSIONS => 3 }
end
step('delete', 'COLUMN CELL', '0 row(s)') do
  delete 'clients_shell', 'row2', 'f:b'
  get 'clients_shell', 'row2'
end
step('a raw scan', 'ROW COLUMN+CELL', 'row2 column=f:b, timestamp=T, type=Delete',
     'row2 column=f:b, timestamp=T, value=value2', '1 row(s)') do
  scan 'clients_shell', { RAW => true, VERSIONS => 3, STARTROW => 'row2', STOPROW => 'row3' }
end
step('deleteall', 'COLUMN CELL', '0 row(s)') do
  deleteall 'clients_shell', 'row3'
  get 'clients_shell', 'row3'
end
step('a table reference', 'ROW COLUMN+CELL', 'r4 column=f:a, timestamp=T, value=value4', '1 row(s)') do
  t = get_table 'clients_shell'
  t.scan({ STARTROW => 'r4', LIMIT => 1 })
end
step('an unknown family', /^ERROR: .*(family none|Column family none) does not exist/) do
  put 'clients_shell', 'row1', 'none:a', 'v'
end
step('alter', 'Updating all regions with the new schema...', /^1\/1 regions updated\.$/, 'Done.') do
  alter 'clients_shell', { NAME => 'h', TTL => 3600 }
end
step('the altered schema', /NAME => 'h'.*TTL => '3600 SECONDS/) { describe 'clients_shell' }
step('flush, compact, major_compact') do
  flush 'clients_shell'
  compact 'clients_shell'
  major_compact 'clients_shell'
end
step('list_regions', /clients_shell/, '1 rows') { list_regions 'clients_shell' }
step('locate_region', /clients_shell/) { locate_region 'clients_shell', 'row1' }
step('snapshot', 'SNAPSHOT TABLE + CREATION TIME', /^clients_shell_snapshot clients_shell/, '1 row(s)') do
  snapshot 'clients_shell', 'clients_shell_snapshot'
  list_snapshots 'clients_shell_snapshot'
  delete_snapshot 'clients_shell_snapshot'
end
step('truncate', "Truncating 'clients_shell' table (it may take a while):", /^Disabling table\.\.\.$/, '0 row(s)') do
  truncate 'clients_shell'
  count 'clients_shell'
end
step('drop without disable', /^ERROR: Table clients_shell is enabled\. Disable it first/) { drop 'clients_shell' }
step('disable, drop', 'Table clients_shell does not exist') do
  disable 'clients_shell'
  drop 'clients_shell'
  exists 'clients_shell'
end
step('a namespace', 'NAMESPACE', 'clients_space', '1 row(s)') do
  create_namespace 'clients_space'
  list_namespace 'clients_space'
  drop_namespace 'clients_space'
end
step('an unknown table', /^ERROR: Unknown table clients_shell!/) { scan 'clients_shell' }
